import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { numberedPath, familyPath } from '../addresses/paths.ts';
import { numberPages } from './navigation.ts';
import { trackedQuery } from './tracked-queries.ts';
import type { Site } from './load-site.ts';
import { GROUP_SOURCES, type FamilyGroup, type ProductGroup } from './product-groups.ts';

export const PRODUCTS_PER_PAGE = 48;

export const familyPages = ({ productGroup }: FamilyGroup) => numberPages(countPages(productGroup));

/** Returns a page of a family and its products. Undefined if the page doesn't exist. */
export const familyPage = trackedQuery(
  'familyPage',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups'>, { language, id, number }: { language: string; id: string; number: number }) => {
    const productGroup = findGroup(site, language, id);
    if (!productGroup?.family || number > countPages(productGroup)) return undefined;
    const items = productGroup.products.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
    return { family: productGroup.family, productGroup, number, total: countPages(productGroup), items };
  },
);

export const familyPagePaths = trackedQuery(
  'familyPagePaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'languages'>, family: string, number: number) =>
    pathsByLanguage(
      site,
      (code) => countPages(findGroup(site, code, family)) >= number,
      (code) => numberedPath(familyPath(code, family), number),
    ),
);

export function findGroup(site: Pick<Site, 'productGroups'>, language: string, id: string): ProductGroup | undefined {
  return site.productGroups(language).find(({ family }) => family?.id === id);
}

function countPages(productGroup: ProductGroup | undefined): number {
  return Math.ceil((productGroup?.count ?? 0) / PRODUCTS_PER_PAGE);
}

/** Splits a list into pages up to a maximum weight. A heavier item has its own page. */
export function splitByWeight<T>(items: readonly T[], weightOf: (item: T) => number, limit: number): T[][] {
  const pages: T[][] = [];
  let weight = limit;
  for (const item of items) {
    const itemWeight = weightOf(item);
    const last = pages.at(-1);
    if (last && weight + itemWeight <= limit) {
      last.push(item);
      weight += itemWeight;
    } else {
      pages.push([item]);
      weight = itemWeight;
    }
  }
  return pages;
}

/** Counts products, documents, families and languages. */
export function countCatalogue(site: Pick<Site, 'count' | 'productGroups' | 'languages'>, language: string) {
  const families = site.productGroups(language).filter(({ family }) => family).length;
  return { ...site.count(language), families, languages: site.languages.length };
}
