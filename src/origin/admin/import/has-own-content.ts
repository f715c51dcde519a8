import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content, imported } from '#origin/platform/store/schema.ts';

/** Whether anything is here that did not come from a source: then the site has a character of its own. */
export async function hasOwnContent(db: Pick<Database, 'select'>, source: string): Promise<boolean> {
  const cameFromThere = and(
    eq(imported.source, source),
    eq(imported.ownId, content.id),
    inArray(imported.kind, ['media', 'page', 'post']),
  );
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(content)
    .leftJoin(imported, cameFromThere)
    .where(and(inArray(content.type, ['attachment', 'page', 'post']), isNull(imported.ownId)))
    .limit(1);
  return rows.length > 0;
}
