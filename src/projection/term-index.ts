import { type SnapshotReader, type Stored } from '#snapshot/index.ts';
import type { Options } from '#config/index.ts';
import { addressSlug } from './address-slug.ts';
import type { PostRecord, TermRecord } from '#contracts/synced/index.ts';

export interface TermIndex {
  /** The terms of these ids, in their order; unknown ids are left out. */
  termsOf(ids: readonly number[]): TermRecord[];
  /** Slugs of a post's categories and of all categories above them. */
  categorySlugs(post: Pick<PostRecord, 'categories'>): string[];
  tagSlugs(post: Pick<PostRecord, 'tags'>): string[];
}

/** Categories, then tags. */
export function readTerms(snapshot: Pick<SnapshotReader, 'records'>): Stored<TermRecord>[] {
  return [...snapshot.records('category'), ...snapshot.records('tag')];
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

/** Terms as pages show them, without those that only mark a language or a translation. */
export function shownTerms(
  terms: Pick<TermIndex, 'termsOf'>,
  ids: readonly number[],
  publishing: Options['publishing'],
): { slug: string; name: string }[] {
  return terms
    .termsOf(ids)
    .filter((term) => !isMarkerTerm(term, publishing))
    .map((term) => ({ slug: addressSlug(term), name: term.name || addressSlug(term) }));
}

/** Terms that say nothing but the language or which articles belong together, and so are not shown. */
function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}
