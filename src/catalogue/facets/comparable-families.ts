import { comparePath, filterPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import { findGroup } from '../site/family-pages.ts';
import type { Site } from '../site/site.ts';
import { LISTED, type ProductGroup } from '../site/product-groups.ts';
import { MAX_COMPARED } from './compare-rows.ts';

/** Products that the comparison of a family shows before anything was chosen. */
export const MAX_SIDE_BY_SIDE = 24;

/** One product alone can be neither filtered nor compared. */
export function isComparable({ family, count }: Pick<ProductGroup, 'family' | 'count'>): boolean {
  return family !== undefined && count > 1;
}

/** Language -> path of the same page of a family, as far as it can be filtered and compared in that language. */
export function comparablePaths(
  site: Pick<Site, 'productGroups' | 'languages'>,
  family: string,
  pathOf: (language: string, family: string) => string,
): Record<string, string> {
  return Object.fromEntries(comparableIn(site, family).map((code) => [code, pathOf(code, family)]));
}

/** Languages in which a family can be filtered and compared. */
const comparableIn = question(
  'comparableIn',
  LISTED,
  (site: Pick<Site, 'productGroups' | 'languages'>, family: string): string[] =>
    site.languages
      .map(({ code }) => code)
      .filter((code) => {
        const productGroup = findGroup(site, code, family);
        return productGroup !== undefined && isComparable(productGroup);
      }),
);

/** Paths of what one can do with the family of a product. */
export interface FamilyWays {
  /** The product beside its neighbours, with room for one that the reader adds. */
  compare: string;
  filter: string;
}

/** @returns Undefined for a product that is alone, or stands on no product group any more. */
export function familyWays({
  product,
  family,
  related,
}: {
  product: { gtin: string; pageLanguage: string; archived?: object | undefined };
  family: { id: string } | undefined;
  related: readonly { gtin: string }[];
}): FamilyWays | undefined {
  const { pageLanguage: language, archived } = product;
  if (!family || archived || related.length === 0) return undefined;
  const chosen = [product, ...related].slice(0, MAX_COMPARED - 1).map((one) => one.gtin);
  return {
    compare: `${comparePath(language, family.id)}?p=${chosen.join(',')}`,
    filter: filterPath(language, family.id),
  };
}
