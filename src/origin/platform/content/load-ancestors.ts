import { inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

/** What of a row above another one is needed for addresses and rights. */
export type Ancestor = Pick<
  ContentRow,
  'id' | 'type' | 'status' | 'statusBeforeTrash' | 'slug' | 'authorId' | 'parentId' | 'date'
>;

/** The same, to be selected. */
export const ANCESTOR_COLUMNS = {
  id: content.id,
  type: content.type,
  status: content.status,
  statusBeforeTrash: content.statusBeforeTrash,
  slug: content.slug,
  authorId: content.authorId,
  parentId: content.parentId,
  date: content.date,
};

/** Everything above some rows, by id: one statement for each level, however many rows there are. */
export async function loadAncestors(
  db: Database,
  rows: readonly Pick<ContentRow, 'parentId'>[],
): Promise<ReadonlyMap<number, Ancestor>> {
  const found = new Map<number, Ancestor>();
  let wanted = parentsOf(rows);
  const asked = new Set<number>();
  while (wanted.length > 0) {
    for (const id of wanted) asked.add(id);
    const level = await db.select(ANCESTOR_COLUMNS).from(content).where(inArray(content.id, wanted));
    for (const row of level) found.set(row.id, row);
    wanted = parentsOf(level).filter((id) => !asked.has(id));
  }
  return found;
}

function parentsOf(rows: readonly Pick<ContentRow, 'parentId'>[]): number[] {
  return [...new Set(rows.map(({ parentId }) => parentId))].filter((id) => id !== 0);
}
