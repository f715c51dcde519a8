import { type SnapshotReader, type Stored } from '#snapshot/index.ts';
import { CATEGORY, type PostRecord, TAG, type TermRecord } from '#contracts/synced/index.ts';

export interface TermIndex {
  /** The terms of these ids, in their order; unknown ids are left out. */
  termsOf(ids: readonly number[]): TermRecord[];
  /** Slugs of a post's categories and of all categories above them. */
  categorySlugs(post: Pick<PostRecord, 'categories'>): string[];
  tagSlugs(post: Pick<PostRecord, 'tags'>): string[];
}

/** Categories, then tags. */
export function readTerms(snapshot: Pick<SnapshotReader, 'records'>): Stored<TermRecord>[] {
  return [...snapshot.records(CATEGORY), ...snapshot.records(TAG)];
}

/** Finds terms by their ids. Ids are unique over both taxonomies. */
export function indexTerms(terms: readonly TermRecord[]): TermIndex {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const termsOf = (ids: readonly number[]): TermRecord[] => ids.flatMap((id) => byId.get(id) ?? []);
  const lineOf = (term: TermRecord): TermRecord[] => {
    const line: TermRecord[] = [];
    for (let above: TermRecord | undefined = term; above && !line.includes(above);) {
      line.push(above);
      above = above.parent === undefined ? undefined : byId.get(above.parent);
    }
    return line;
  };
  return {
    termsOf,
    categorySlugs: ({ categories }) => termsOf(categories).flatMap((term) => lineOf(term).map(({ slug }) => slug)),
    tagSlugs: ({ tags }) => termsOf(tags).map(({ slug }) => slug),
  };
}
