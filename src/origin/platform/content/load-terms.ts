import { eq, inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { contentTerm, term } from '#origin/platform/store/schema.ts';

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
