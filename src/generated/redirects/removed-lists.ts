import { placeOf, sitePath } from '#catalogue/addresses/base.ts';
import { facetPath, productPath } from '#catalogue/addresses/paths.ts';
import type { ProductIndex } from '#product-index/index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

const PRODUCT = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;
/** The first number of a value's id: `from-0-2-to-4-7`, `ge-1500`, `minus-0-25`, `50-mm`. */
const FACET =
  /^\/([^/]+)\/products\/([^/]+)\/([^/]+)\/(?:from-)?(?:[gl][et]-)?(minus-)?(\d+)(?:-(\d+))?(?:-[a-z][^/]*)?\/(?:page\/\d+\/)?$/;
/** What lists stand below. A post or a page isn't a part of what stands above it. */
const LIST =
  /^\/[^/]+\/(?:products|norms|downloads|search)\/.|^\/[^/]+\/(?:journal\/(?:$|(?:page|category|tag|author|month)\/)|podcast\/(?:$|page\/))/;

/**
 * Lists are made of what products declare, so their addresses come and go with it. One that has gone leads to the list
 * that holds the same values now, and else to the next one above it; the page of a product to where it stands now, and a
 * post or page that counts as written in another language to the same path there.
 * @param left Pages that earlier builds had: their places in the site.
 * @param isPage Whether a page stands at a path.
 */
export function* leftLists(
  { languages }: Pick<LoaderSource, 'languages'>,
  left: Iterable<string>,
  productIndex: Pick<ProductIndex, 'product' | 'productGroups'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  for (const from of left) {
    if (isPage(from)) continue;
    const to =
      productNow(from, productIndex) ??
      rangeNow(from, productIndex) ??
      (LIST.test(from) ? above(from, isPage) : inOtherLanguage(from, languages, isPage));
    if (to !== undefined && isPage(to)) yield { from: sitePath(from), to: sitePath(placeOf(to)) };
  }
}

function inOtherLanguage(
  from: string,
  languages: readonly string[],
  isPage: (pathname: string) => boolean,
): string | undefined {
  const [, rest] = /^\/[^/]+(\/.+)$/.exec(from) ?? [];
  return rest === undefined ? undefined : languages.map((code) => `/${code}${rest}`).find(isPage);
}

function productNow(from: string, productIndex: Pick<ProductIndex, 'product'>): string | undefined {
  const [, language = '', gtin = ''] = PRODUCT.exec(from) ?? [];
  const product = gtin === '' ? undefined : productIndex.product(language, gtin);
  return product && productPath(language, product.slug);
}

/** The span of numbers that the lowest of the old one belongs to now. */
function rangeNow(from: string, productIndex: Pick<ProductIndex, 'productGroups'>): string | undefined {
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

function above(from: string, isPage: (pathname: string) => boolean): string | undefined {
  const segments = from.split('/').filter((segment) => segment !== '');
  const paths = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}/`).toReversed();
  return paths.slice(1).find(isPage);
}
