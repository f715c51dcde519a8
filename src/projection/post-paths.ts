import type { PostRecord } from '#contracts/synced/index.ts';
import { postPath } from '#catalogue/addresses/paths.ts';
import type { Stored } from '#snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import { findLanguage, type LanguageRule } from './find-language.ts';
import { stripLanguagePrefix } from './strip-language-prefix.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { TermIndex } from './term-index.ts';

/** A record with its language and address on this site. */
export interface SiteEntry<T> {
  record: T;
  language: string;
  /** Last segment of the path, without the language prefix. */
  slug: string;
  /** Id in its collection. */
  entryId: string;
  /** Root-relative path of its page. */
  path: string;
}

/** Assigns each post its language and address. Posts in languages that aren't built are omitted. */
export function resolvePostPaths(
  { snapshot, options, languages }: LoaderSource,
  terms: TermIndex,
): SiteEntry<Stored<PostRecord>>[] {
  const rules = options.publishing.language;
  const posts = [...snapshot.records('post')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: terms.categorySlugs(record), tags: terms.tagSlugs(record) };
    const language = findLanguage(evidence, rules) ?? options.mainLanguage;
    return languages.includes(language) ? { record, language } : [];
  });
  return assignSlugs(posts, rules, postPath);
}

/**
 * Assigns each record its slug, without the language prefix. If two would get the same address, both keep the unique
 * slug of the publishing site. Remaining duplicates get their id as a suffix.
 */
export function assignSlugs<T extends { id: number; slug: string }>(
  records: readonly { record: T; language: string }[],
  rules: readonly LanguageRule[],
  pathOf: (language: string, slug: string) => string,
): SiteEntry<T>[] {
  const candidates = records.map(({ record, language }) => {
    const fullSlug = addressSlug(record);
    return { record, language, fullSlug, shortSlug: stripLanguagePrefix(fullSlug, language, rules) };
  });
  const counts = new Map<string, number>();
  for (const { language, fullSlug, shortSlug } of candidates) {
    for (const key of new Set([keyOf(language, fullSlug), keyOf(language, shortSlug)]))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const usedKeys = new Set<string>();
  return candidates.map(({ record, language, fullSlug, shortSlug }) => {
    const unique = counts.get(keyOf(language, shortSlug)) === 1 ? shortSlug : fullSlug;
    const slug = usedKeys.has(keyOf(language, unique)) ? `${unique}-${record.id}` : unique;
    usedKeys.add(keyOf(language, slug));
    return { record, language, slug, entryId: `${language}/${slug}`, path: pathOf(language, slug) };
  });
}

/** Some file systems are case-insensitive. */
function keyOf(language: string, slug: string): string {
  return `${language}/${slug.toLowerCase()}`;
}
