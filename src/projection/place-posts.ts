import type { PostRecord } from '#contracts/synced/index.ts';
import { postPath } from '#catalogue/addresses/paths.ts';
import type { Stored } from '#snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import { findLanguage, type LanguageRule } from './find-language.ts';
import { stripLanguagePrefix } from './strip-language-prefix.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { TermIndex } from './term-index.ts';

/** A post or page with its place in this site. */
export interface Placed<T> {
  record: T;
  language: string;
  /** Last part of the path, without the language's prefix. */
  slug: string;
  /** Id in its collection. */
  entryId: string;
  /** Root-relative path of its page. */
  path: string;
}

/** Gives every post its language and address. Posts in a language that isn't built are left out. */
export function placePosts(
  { snapshot, options, languages }: LoaderSource,
  terms: TermIndex,
): Placed<Stored<PostRecord>>[] {
  const rules = options.publishing.language;
  const posts = [...snapshot.records('post')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: terms.categorySlugs(record), tags: terms.tagSlugs(record) };
    const language = findLanguage(evidence, rules) ?? options.mainLanguage;
    return languages.includes(language) ? { record, language } : [];
  });
  return withSlugs(posts, rules, postPath);
}

/**
 * Gives each its slug, without the prefix of its language. Where two would end up with one address, each keeps the slug
 * that the publishing site made unique; what is one all the same, as an address has it, is told apart by the id.
 */
export function withSlugs<T extends { id: number; slug: string }>(
  found: readonly { record: T; language: string }[],
  rules: readonly LanguageRule[],
  pathOf: (language: string, slug: string) => string,
): Placed<T>[] {
  const wanted = found.map(({ record, language }) => {
    const whole = addressSlug(record);
    return { record, language, whole, bare: stripLanguagePrefix(whole, language, rules) };
  });
  const claims = new Map<string, number>();
  for (const { language, whole, bare } of wanted) {
    for (const claim of new Set([claimOf(language, whole), claimOf(language, bare)]))
      claims.set(claim, (claims.get(claim) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return wanted.map(({ record, language, whole, bare }) => {
    const unique = claims.get(claimOf(language, bare)) === 1 ? bare : whole;
    const slug = taken.has(claimOf(language, unique)) ? `${unique}-${record.id}` : unique;
    taken.add(claimOf(language, slug));
    return { record, language, slug, entryId: `${language}/${slug}`, path: pathOf(language, slug) };
  });
}

/** Some file systems make no difference between upper and lower case. */
function claimOf(language: string, slug: string): string {
  return `${language}/${slug.toLowerCase()}`;
}
