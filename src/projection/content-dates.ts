import { stripBasePath } from '#catalogue/addresses/base.ts';
import type { Options } from '#config/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import { readArticles } from './read-articles.ts';
import { languageCodes } from '#product-index/site-languages.ts';

/** Home page of a language, which is never an article. */
const HOME_PAGE = /^\/[^/]*\/?$/;
const PRODUCT_PAGE = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;

/**
 * Returns the last modification date of each page by its path, ISO, for sitemaps. Lists have the date of the snapshot,
 * because anything may have changed them. Undefined before the first sync. Articles are read on first use.
 */
export function contentDates(
  snapshot: SnapshotReader,
  options: Options,
  productIndex: Pick<ProductIndex, 'changedAt'>,
): (pathname: string) => string | undefined {
  let articles: Map<string, string> | undefined;
  const newest = snapshot.takenAt();
  return (pathname) => {
    const path = stripBasePath(pathname);
    const [, language, gtin] = PRODUCT_PAGE.exec(path) ?? [];
    if (language !== undefined && gtin !== undefined) return productIndex.changedAt(language, gtin) ?? newest;
    if (HOME_PAGE.test(path)) return newest;
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
