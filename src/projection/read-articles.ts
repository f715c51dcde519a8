import { AUTHOR, MEDIA, type PostRecord } from '#contracts/synced/index.ts';
import type { Stored } from '#snapshot/index.ts';
import { groupPages, groupPosts, type Translations } from './group-translations.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { placePages, type PlacedPage } from './place-pages.ts';
import { placePosts, type Placed } from './place-posts.ts';
import { resolveLinksTo } from './resolve-links.ts';
import { indexTerms, readTerms, type TermIndex } from './term-index.ts';
import type { ArticleContext } from './article-data.ts';

export interface Articles {
  posts: Placed<Stored<PostRecord>>[];
  pages: PlacedPage[];
  terms: TermIndex;
  translations: { posts: Translations; pages: Translations };
  context: ArticleContext;
}

/** Places all posts and pages: links lead from any of them to any other, so each loader needs all. */
export function readArticles(source: LoaderSource): Articles {
  const { snapshot, options } = source;
  const terms = indexTerms(readTerms(snapshot));
  const posts = placePosts(source, terms);
  const pages = placePages(source);
  const { tagPrefix, slugs } = options.publishing.translations;
  return {
    posts,
    pages,
    terms,
    translations: { posts: groupPosts(posts, terms, tagPrefix), pages: groupPages(pages, slugs) },
    context: {
      snapshot,
      documents: options.documents,
      authors: new Map([...snapshot.records(AUTHOR)].map((author) => [author.id, author])),
      media: new Map([...snapshot.records(MEDIA)].map((medium) => [medium.id, medium])),
      articles: new Map([...posts, ...pages].map((article) => [article.path, article])),
      resolveLink: resolveLinksTo(snapshot.site()?.url, [...posts, ...pages]),
    },
  };
}
