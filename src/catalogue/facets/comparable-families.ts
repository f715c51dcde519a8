import { comparePath, filterPath } from '../addresses/paths.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import { findGroup } from '../site/family-pages.ts';
import type { Site } from '../site/load-site.ts';
import { GROUP_SOURCES, type ProductGroup } from '../site/product-groups.ts';
import { MAX_COMPARED } from './family-table.ts';

/** Maximum number of products that the comparison shows without a selection. */
export const MAX_INITIAL_COMPARED = 24;

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

/** Paths of the tools for the family of a product. */
export interface FamilyTools {
  /** Path of the comparison with the product's neighbours, with room for another. */
  compare: string;
  filter: string;
}

/** @returns Undefined for an archived product, or one without related products. */
export function familyTools({
  product,
  family,
  related,
}: {
  product: { gtin: string; pageLanguage: string; archived?: object | undefined };
  family: { id: string } | undefined;
  related: readonly { gtin: string }[];
}): FamilyTools | undefined {
  const { pageLanguage: language, archived } = product;
  if (!family || archived || related.length === 0) return undefined;
  const chosen = [product, ...related].slice(0, MAX_COMPARED - 1).map((one) => one.gtin);
  return {
    compare: `${comparePath(language, family.id)}?p=${chosen.join(',')}`,
    filter: filterPath(language, family.id),
  };
}
