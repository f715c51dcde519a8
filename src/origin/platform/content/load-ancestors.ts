import { inArray, eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

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

export type TermRow = typeof term.$inferSelect;

/** The terms of some rows of content, by the row's id, each list ordered by name: one statement. */
export async function loadTerms(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly TermRow[]>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ contentId: contentTerm.contentId, term })
    .from(contentTerm)
    .innerJoin(term, eq(term.id, contentTerm.termId))
    .where(inArray(contentTerm.contentId, [...ids]));
  const ordered = found.toSorted((a, b) => a.term.name.localeCompare(b.term.name, 'en') || a.term.id - b.term.id);
  const grouped = Map.groupBy(ordered, ({ contentId }) => contentId);
  return new Map([...grouped].map(([id, rows]) => [id, rows.map((row) => row.term)]));
}
