import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { serve } from '@hono/node-server';
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import { drizzle as onPglite } from 'drizzle-orm/pglite';
import { Hono } from 'hono';
import { Pool } from 'pg';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

/**
 * A process of its own: what the origin is made of and nothing else. Answers with the rows of a list or an item as they
 * are stored, their total and their terms, by two statements each. Prints its address, and ends with its standard input.
 */
const { folder, databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { folder: string; databaseUrl?: string };
const store = databaseUrl ? undefined : await PGlite.create(path.join(folder, 'store'));
const pool = databaseUrl ? new Pool({ connectionString: databaseUrl, max: 10 }) : undefined;
const db: Database = store ? onPglite({ client: store }) : onPostgres({ client: pool as Pool });

const published = and(eq(content.type, 'post'), eq(content.status, 'publish'));

async function withTerms(rows: readonly (typeof content.$inferSelect)[]) {
  const ids = rows.map(({ id }) => id);
  const terms = await db
    .select({ contentId: contentTerm.contentId, id: term.id, taxonomy: term.taxonomy, name: term.name })
    .from(contentTerm)
    .innerJoin(term, eq(term.id, contentTerm.termId))
    .where(inArray(contentTerm.contentId, ids));
  return rows.map((row) => ({ ...row, terms: terms.filter(({ contentId }) => contentId === row.id) }));
}

const app = new Hono();
app.get('/posts', async (c) => {
  const counted = db.select({ total: count() }).from(content).where(published);
  const found = await db
    .select({ row: content, total: sql<number>`(${counted})`.mapWith(Number) })
    .from(content)
    .where(published)
    .orderBy(desc(content.date), desc(content.id))
    .limit(10);
  c.header('X-Total', String(found[0]?.total ?? 0));
  return c.json(await withTerms(found.map(({ row }) => row)));
});
app.get('/posts/:id', async (c) => {
  const rows = await db
    .select()
    .from(content)
    .where(and(published, eq(content.id, Number(c.req.param('id')))));
  return c.json((await withTerms(rows))[0]);
});

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.stdin.resume().once('end', () => {
  server.close();
  void (store ? store.close() : pool?.end())?.then(() => process.exit(0));
});
