import { findGroup } from '../site/family-pages.ts';
import type { Site } from '../site/load-site.ts';
import type { ProductGroup } from '../site/product-groups.ts';

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
  return Object.fromEntries(
    site.languages.flatMap(({ code }) => {
      const productGroup = findGroup(site, code, family);
      return productGroup && isComparable(productGroup) ? [[code, pathOf(code, family)]] : [];
    }),
  );
}
