import { postPath } from '../catalogue/paths.ts';
import type { PostRecord, Stored } from '../snapshot/index.ts';
import { languageOfWriting, withoutLanguagePrefix } from './language-of-writing.ts';
import type { LoaderSource } from './loader-source.ts';
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
  const posts = [...snapshot.posts()].flatMap((record) => {
    const evidence = { slug: record.slug, categories: terms.categorySlugs(record), tags: terms.tagSlugs(record) };
    const language = languageOfWriting(evidence, rules) ?? options.mainLanguage;
    return languages.includes(language) ? { record, language } : [];
  });
  const taken = new Set(posts.map(({ record, language }) => `${language}/${record.slug}`));
  return posts.map(({ record, language }) => {
    const bare = withoutLanguagePrefix(record.slug, language, rules);
    // Where two posts would end up with one address, each keeps the slug that the publishing site made unique.
    const free = bare === record.slug || !taken.has(`${language}/${bare}`);
    const slug = free ? bare : record.slug;
    return { record, language, slug, entryId: `${language}/${slug}`, path: postPath(language, slug) };
  });
}
