import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { ListedEntry } from '#model/entries.ts';
import { findGroup, PRODUCTS_PER_PAGE } from '../site/family-pages.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { facetPath } from '../addresses/paths.ts';
import { LISTED, type FamilyGroup, type ProductGroup } from '../site/product-groups.ts';
import { chosenProducts } from './group-facets.ts';
import type { FacetOptionSummary, FacetSummary } from './summarise-facets.ts';

/** One page of the list of what has a value. */
export interface FacetPage extends FamilyGroup {
  facet: FacetSummary;
  option: FacetOptionSummary;
  /** From 1. */
  number: number;
  total: number;
}

/** Which page it is, the same in every language. */
export interface FacetPlace {
  id: string;
  facet: string;
  option: string;
  number: number;
}

/** Whether a value has a list of its own: what only one product has, leads to that product. */
export function hasList({ listed }: FacetSummary, { count }: FacetOptionSummary): boolean {
  return listed && count > 1;
}

/** The pages of all values of a family. */
export function facetPages({ family, productGroup }: FamilyGroup): FacetPage[] {
  return productGroup.facets.flatMap((facet) =>
    facet.options
      .filter((option) => hasList(facet, option))
      .flatMap((option) => {
        const total = pagesOf(option);
        return Array.from({ length: total }, (_, i) => ({ family, productGroup, facet, option, number: i + 1, total }));
      }),
  );
}

/** A page, and what stands on it; undefined when there is no such page. */
export const facetPage = question('facetPage', LISTED, findPage);

function findPage(
  site: Pick<Site, 'productGroups'>,
  language: string,
  place: FacetPlace,
): (FacetPage & { items: readonly ListedEntry[] }) | undefined {
  const productGroup = findGroup(site, language, place.id);
  const found = findOption(productGroup, place);
  if (!productGroup?.family || !found) return undefined;
  const { number } = place;
  const chosen = chosenProducts(productGroup.products, place) ?? [];
  const items = chosen.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
  return { family: productGroup.family, productGroup, ...found, number, total: pagesOf(found.option), items };
}

/** Language -> path of the same page, as far as there is one in that language. */
export const facetPagePaths = question(
  'facetPagePaths',
  LISTED,
  (site: Pick<Site, 'productGroups' | 'languages'>, place: FacetPlace) =>
    pathsByLanguage(
      site,
      (code) => findOption(findGroup(site, code, place.id), place),
      (code) => numberedPath(facetPath(code, place.id, place), place.number),
    ),
);

function findOption(productGroup: ProductGroup | undefined, place: FacetPlace) {
  const facet = productGroup?.facets.find(({ id }) => id === place.facet);
  const option = facet?.options.find(({ id }) => id === place.option);
  return facet && option && hasList(facet, option) && pagesOf(option) >= place.number ? { facet, option } : undefined;
}

function pagesOf({ count }: FacetOptionSummary): number {
  return Math.ceil(count / PRODUCTS_PER_PAGE);
}
