import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { findGroup, PRODUCTS_PER_PAGE } from '../site/family-pages.ts';
import { numberPages } from '../site/navigation.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { numberedPath, facetPath, comparePath } from '../addresses/paths.ts';
import { GROUP_SOURCES, type FamilyGroup, type ProductGroup } from '../site/product-groups.ts';
import { filterByFacet, type FacetOptionSummary, type FacetSummary } from './group-facets.ts';
import { MAX_COMPARED } from './family-table.ts';

/** Maximum number of products that the comparison shows without a selection, as many as fit side by side. */
export const MAX_INITIAL_COMPARED = 6;

/** True if a family has at least two products to filter and compare. */
export function isComparable({ family, count }: Pick<ProductGroup, 'family' | 'count'>): boolean {
  return family !== undefined && count > 1;
}

/** Returns the paths of a family's page, by language, for languages in which the family is comparable. */
export function comparablePaths(
  site: Pick<Site, 'productGroups' | 'languages'>,
  family: string,
  pathOf: (language: string, family: string) => string,
): Record<string, string> {
  return Object.fromEntries(comparableLanguages(site, family).map((code) => [code, pathOf(code, family)]));
}

/** Lists the languages in which a family can be filtered and compared. */
const comparableLanguages = trackedQuery(
  'comparableIn',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'languages'>, family: string): string[] =>
    site.languages
      .map(({ code }) => code)
      .filter((code) => {
        const productGroup = findGroup(site, code, family);
        return productGroup !== undefined && isComparable(productGroup);
      }),
);

/** Returns the path of the comparison with related products. Undefined for an archived product, or without any. */
export function relatedComparePath({
  product,
  family,
  related,
}: {
  product: { gtin: string; pageLanguage: string; archived?: object | undefined };
  family: { id: string } | undefined;
  related: readonly { gtin: string }[];
}) {
  const { pageLanguage: language, archived } = product;
  if (!family || archived || related.length === 0) return undefined;
  // With room for another product.
  const chosen = [product, ...related].slice(0, MAX_COMPARED - 1).map((one) => one.gtin);
  return `${comparePath(language, family.id)}?p=${chosen.join(',')}`;
}

/** Key of a facet page, the same in every language. */
export interface FacetPageKey {
  id: string;
  facet: string;
  option: string;
  number: number;
}

/** True if an option has a page of its products. An option with one product links to the product instead. */
export function hasFacetPage({ listed }: FacetSummary, { count }: FacetOptionSummary): boolean {
  return listed && count > 1;
}

export function facetPages({ productGroup }: FamilyGroup) {
  return productGroup.facets.flatMap((facet) =>
    facet.options
      .filter((option) => hasFacetPage(facet, option))
      .flatMap((option) => numberPages(countPages(option)).map((page) => ({ facet, option, ...page }))),
  );
}

/** Returns a page and its products. Undefined if the page doesn't exist. */
export const facetPage = trackedQuery(
  'facetPage',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups'>, language: string, key: FacetPageKey) => {
    const productGroup = findGroup(site, language, key.id);
    const match = findOption(productGroup, key);
    if (!productGroup?.family || !match) return undefined;
    const { number } = key;
    const chosen = filterByFacet(productGroup.products, key) ?? [];
    const items = chosen.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
    return { family: productGroup.family, productGroup, ...match, number, total: countPages(match.option), items };
  },
);

export const facetPagePaths = trackedQuery(
  'facetPagePaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'languages'>, key: FacetPageKey) =>
    pathsByLanguage(
      site,
      (code) => findOption(findGroup(site, code, key.id), key),
      (code) => numberedPath(facetPath(code, key.id, key), key.number),
    ),
);

function findOption(productGroup: ProductGroup | undefined, key: FacetPageKey) {
  const facet = productGroup?.facets.find(({ id }) => id === key.facet);
  const option = facet?.options.find(({ id }) => id === key.option);
  return facet && option && hasFacetPage(facet, option) && countPages(option) >= key.number
    ? { facet, option }
    : undefined;
}

function countPages({ count }: FacetOptionSummary): number {
  return Math.ceil(count / PRODUCTS_PER_PAGE);
}
