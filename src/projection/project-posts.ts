import { findMentions } from '#catalogue/journal/related-posts.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { articleData, articleText } from './article-data.ts';
import { readArticles } from './read-articles.ts';
import { publicTerms } from './term-index.ts';

/** Posts by language. Terms that only mark a language or a translation are hidden. */
export function* projectPosts(source: LoaderSource): Generator<ProjectedEntry> {
  const { posts, terms, translations, context } = readArticles(source);
  const visibleTerms = (ids: readonly number[]) => publicTerms(terms, ids, source.options.publishing);
  for (const post of posts) {
    const data = {
      ...articleData(post, context),
      translations: translations.posts.get(post.record.id),
      slug: post.slug,
      hasLead: post.record.excerpt !== '',
      sticky: post.record.sticky,
      categories: visibleTerms(post.record.categories),
      tags: visibleTerms(post.record.tags),
    };
    const derive = (html: string) => ({ mentions: findMentions(html) });
    yield { id: post.entryId, data, ...articleText(post, context), derive };
  }
}
