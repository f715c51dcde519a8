import type { Options } from '#config/index.ts';
import type { TermRecord } from '#contracts/synced/index.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { addressSlug } from './address-slug.ts';
import { articleData } from './article-data.ts';
import { readArticles } from './read-articles.ts';

/** Posts in their languages. Terms that only mark a language or a translation are not shown. */
export function* projectPosts(source: LoaderSource): Generator<ProjectedEntry> {
  // What pages are left out is said once, when the pages are loaded.
  const { posts, terms, translations, context } = readArticles({ ...source, warn: () => undefined });
  const shown = (ids: readonly number[]) =>
    terms
      .termsOf(ids)
      .filter((term) => !isMarkerTerm(term, source.options.publishing))
      .map((term) => ({ slug: addressSlug(term), name: term.name || addressSlug(term) }));
  for (const post of posts) {
    yield {
      id: post.entryId,
      data: {
        ...articleData(post, context),
        translations: translations.posts.get(post.record.id),
        slug: post.slug,
        sticky: post.record.sticky,
        categories: shown(post.record.categories),
        tags: shown(post.record.tags),
      },
    };
  }
}

/** Terms that say nothing but the language or which articles belong together, and so are not shown. */
function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}
