import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ImportKind } from '#contracts/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { imported } from '#origin/platform/store/schema.ts';

export type ImportedRow = typeof imported.$inferSelect;
/** Revisions and settings come with something else. */
export type KeptKind = ImportKind | 'revision' | 'settings';

type Reader = Pick<Database, 'select'>;

/** What is known of some records of one kind. */
export function findImported(
  db: Reader,
  source: string,
  kind: KeptKind,
  ids: readonly number[],
): Promise<ImportedRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(imported)
    .where(and(eq(imported.source, source), eq(imported.kind, kind), inArray(imported.sourceId, [...new Set(ids)])));
}

/** The row here that stands for a record there, which may be of several kinds; `undefined` while it has not come. */
export async function findOwnId(
  db: Reader,
  source: string,
  kinds: readonly ImportKind[],
  id: number,
): Promise<number | undefined> {
  const isIt = and(eq(imported.source, source), inArray(imported.kind, [...kinds]), eq(imported.sourceId, id));
  const [found] = await db.select({ ownId: imported.ownId }).from(imported).where(isIt).limit(1);
  return found?.ownId;
}

/** Writes down which row stands for a record, over what was known of it. */
export async function rememberImported(
  db: Pick<Database, 'insert'>,
  rows: (typeof imported.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(imported)
    .values(rows)
    .onConflictDoUpdate({
      target: [imported.source, imported.kind, imported.sourceId],
      set: {
        ownId: sql`excluded.own_id`,
        digest: sql`excluded.digest`,
        ownDigest: sql`excluded.own_digest`,
        path: sql`excluded.path`,
        waiting: sql`excluded.waiting`,
      },
    });
}
