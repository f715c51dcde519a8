import { placeOf } from '#catalogue/addresses/base.ts';
import type { Options } from '#config/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { ProductIndex } from '#product-index/index.ts';
import { readArticles } from './read-articles.ts';
import { languageCodes } from '#product-index/site-languages.ts';

/** The page of a language, which no article stands at. */
const HOME_PAGE = /^\/[^/]*\/?$/;
const PRODUCT_PAGE = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;

/**
 * When the content of a page last changed, ISO, by the page's path: for sitemaps. Lists have no date of their own: what
 * they show may have changed as late as anything has, and an incremental build asks again only when they show something
 * else. Undefined before the first sync. Writings are read when the first of them is asked for.
 */
export function contentDates(
  snapshot: SnapshotReader,
  options: Options,
  productIndex: Pick<ProductIndex, 'changedAt'>,
): (pathname: string) => string | undefined {
  let articles: Map<string, string> | undefined;
  const newest = snapshot.takenAt();
  return (pathname) => {
    const place = placeOf(pathname);
    const [, language, gtin] = PRODUCT_PAGE.exec(place) ?? [];
    if (language !== undefined && gtin !== undefined) return productIndex.changedAt(language, gtin) ?? newest;
    if (HOME_PAGE.test(place)) return newest;
    articles ??= articleDates(snapshot, options);
    return articles.get(pathname) ?? newest;
  };
}

function articleDates(snapshot: SnapshotReader, options: Options): Map<string, string> {
  const languages = languageCodes(snapshot, options);
  const { posts, pages, episodes } = readArticles({ snapshot, options, languages });
  return new Map([
    ...[...posts, ...pages].map(({ path, record }) => [path, record.modified] as const),
    ...episodes.map(({ path, record }) => [path, record.modified ?? record.published] as const),
  ]);
}
