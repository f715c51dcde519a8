import { type SnapshotReader, type Stored } from '#snapshot/index.ts';
import type { Options } from '#config/index.ts';
import type { PostRecord, TermRecord } from '#contracts/synced/index.ts';

export interface TermIndex {
  /** Terms with these ids, in the given order; unknown ids are skipped. */
  termsOf(ids: readonly number[]): TermRecord[];
  /** Slugs of a post's categories and their ancestors. */
  categorySlugs(post: Pick<PostRecord, 'categories'>): string[];
  tagSlugs(post: Pick<PostRecord, 'tags'>): string[];
}

/** Reads categories, then tags. */
export function readTerms(snapshot: Pick<SnapshotReader, 'records'>): Stored<TermRecord>[] {
  return [...snapshot.records('category'), ...snapshot.records('tag')];
}

/** Indexes terms by id. Ids are unique across both taxonomies. */
export function indexTerms(terms: readonly TermRecord[]): TermIndex {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const termsOf = (ids: readonly number[]): TermRecord[] => ids.flatMap((id) => byId.get(id) ?? []);
  const withAncestors = (term: TermRecord): TermRecord[] => {
    const chain: TermRecord[] = [];
    for (let ancestor: TermRecord | undefined = term; ancestor && !chain.includes(ancestor);) {
      chain.push(ancestor);
      ancestor = ancestor.parent === undefined ? undefined : byId.get(ancestor.parent);
    }
    return chain;
  };
  return {
    termsOf,
    categorySlugs: ({ categories }) =>
      termsOf(categories).flatMap((term) => withAncestors(term).map(({ slug }) => slug)),
    tagSlugs: ({ tags }) => termsOf(tags).map(({ slug }) => slug),
  };
}

/** Terms shown on pages, without those that only mark a language or a translation. */
export function publicTerms(
  terms: Pick<TermIndex, 'termsOf'>,
  ids: readonly number[],
  publishing: Options['publishing'],
): { slug: string; name: string }[] {
  return terms
    .termsOf(ids)
    .filter((term) => !isMarkerTerm(term, publishing))
    .map((term) => ({ slug: addressSlug(term), name: term.name || addressSlug(term) }));
}

/** True for terms that only mark a language or link translations. */
function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}

/**
 * Characters that end a path or have a meaning for hosts, spaces and invisible characters. The two joiners stay,
 * because some scripts need them.
 */
const UNSAFE = /(?:(?![\w-])[\0-\x7f]|(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;

/** In UTF-8 bytes. File systems allow 255, and files generated next to a page have longer names. */
const MAX_BYTES = 200;

/**
 * Converts a slug of the publishing site to a safe, readable path segment. Slugs without any safe character are
 * replaced by the id.
 */
export function addressSlug({ slug, id }: { slug: string; id: number }): string {
  const safe = decodeSlug(slug).normalize('NFC').replaceAll(UNSAFE, '-');
  return /^-*$/.test(safe) ? String(id) : cutAfter(safe, MAX_BYTES);
}

function cutAfter(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // Drop a partial character at the end.
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '');
}

/** Decodes a slug: publishing sites percent-encode non-ASCII slugs, while addresses here are readable. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
