import { stripBasePath, sitePath } from '#catalogue/addresses/base.ts';
import { facetPath, productPath } from '#catalogue/addresses/paths.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

const PRODUCT = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;
/** Extracts the first number of an option's ID: `from-0-2-to-4-7`, `ge-1500`, `minus-0-25`, `50-mm`. */
const FACET =
  /^\/([^/]+)\/products\/([^/]+)\/([^/]+)\/(?:from-)?(?:[gl][et]-)?(minus-)?(\d+)(?:-(\d+))?(?:-[a-z][^/]*)?\/(?:page\/\d+\/)?$/;
/** Paths below which lists exist. A post or page doesn't belong to the list above it. */
const LIST =
  /^\/[^/]+\/(?:products|norms|downloads|search)\/.|^\/[^/]+\/(?:journal\/(?:$|(?:page|category|tag|author|month)\/)|podcast\/(?:$|page\/))/;

/**
 * Lists redirects of removed pages. Lists depend on declared values, so their paths change with them. A removed list
 * redirects to the list with the same values, else to its parent list. A product page redirects to its current path. A
 * post or page whose language has changed redirects to the same path in that language.
 * @param left Paths of pages of earlier builds, relative to the site.
 * @param isPage Returns true if a path has a page.
 */
export function* removedLists(
  { languages }: Pick<LoaderSource, 'languages'>,
  left: Iterable<string>,
  productIndex: Pick<ProductIndex, 'product' | 'productGroups'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  for (const from of left) {
    if (isPage(from)) continue;
    const to =
      findProductPath(from, productIndex) ??
      findSpanPath(from, productIndex) ??
      (LIST.test(from) ? findAncestor(from, isPage) : findInOtherLanguage(from, languages, isPage));
    if (to !== undefined && isPage(to)) yield { from: sitePath(from), to: sitePath(stripBasePath(to)) };
  }
}

function findInOtherLanguage(
  from: string,
  languages: readonly string[],
  isPage: (pathname: string) => boolean,
): string | undefined {
  const [, rest] = /^\/[^/]+(\/.+)$/.exec(from) ?? [];
  return rest === undefined ? undefined : languages.map((code) => `/${code}${rest}`).find(isPage);
}

function findProductPath(from: string, productIndex: Pick<ProductIndex, 'product'>): string | undefined {
  const [, language = '', gtin = ''] = PRODUCT.exec(from) ?? [];
  const product = gtin === '' ? undefined : productIndex.product(language, gtin);
  return product && productPath(language, product.slug);
}

/** Finds the current span that contains the lower bound of an earlier one. */
function findSpanPath(from: string, productIndex: Pick<ProductIndex, 'productGroups'>): string | undefined {
  const [, language = '', family = '', facet = '', minus, whole = '', part = '0'] = FACET.exec(from) ?? [];
  if (whole === '') return undefined;
  const productGroup = productIndex.productGroups(language).find(({ productGroup: id }) => id === family);
  const found = productGroup?.facets.find(({ id, kind }) => id === facet && kind === 'number');
  const low = Number(`${minus ? '-' : ''}${whole}.${part}`);
  const options = found?.options.filter(({ count }) => found.listed && count > 1) ?? [];
  const span =
    options.find(({ values }) => low <= (values.at(-1)?.high ?? values.at(-1)?.low ?? -Infinity)) ?? options.at(-1);
  return span && facetPath(language, family, { facet, option: span.id });
}

function findAncestor(from: string, isPage: (pathname: string) => boolean): string | undefined {
  const segments = from.split('/').filter((segment) => segment !== '');
  const paths = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}/`).toReversed();
  return paths.slice(1).find(isPage);
}
