import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { ListedEntry } from '#model/entries.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { familyPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import type { Site } from './site.ts';
import { LISTED, type FamilyGroup, type ProductGroup } from './product-groups.ts';

/** One page of the list of a family. */
export interface FamilyPage extends FamilyGroup {
  /** From 1. */
  number: number;
  total: number;
}

export const PRODUCTS_PER_PAGE = 48;

export function familyPages({ family, productGroup }: FamilyGroup): FamilyPage[] {
  const total = pagesOf(productGroup);
  return Array.from({ length: total }, (_, i) => ({ family, productGroup, number: i + 1, total }));
}

/** A page of a family's list, and what stands on it; undefined when there is no such page. */
export const familyPage = question('familyPage', LISTED, findPage);

function findPage(
  site: Pick<Site, 'productGroups'>,
  { language, id, number }: { language: string; id: string; number: number },
): (FamilyPage & { items: readonly ListedEntry[] }) | undefined {
  const productGroup = findGroup(site, language, id);
  if (!productGroup?.family || number > pagesOf(productGroup)) return undefined;
  const items = productGroup.products.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
  return { family: productGroup.family, productGroup, number, total: pagesOf(productGroup), items };
}

/** Language -> path of the same page of the family, as far as it is as long in that language. */
export const familyPagePaths = question(
  'familyPagePaths',
  LISTED,
  (site: Pick<Site, 'productGroups' | 'languages'>, family: string, number: number) =>
    pathsByLanguage(
      site,
      (code) => pagesOf(findGroup(site, code, family)) >= number,
      (code) => numberedPath(familyPath(code, family), number),
    ),
);

export function findGroup(site: Pick<Site, 'productGroups'>, language: string, id: string): ProductGroup | undefined {
  return site.productGroups(language).find(({ family }) => family?.id === id);
}

function pagesOf(productGroup: ProductGroup | undefined): number {
  return Math.ceil((productGroup?.count ?? 0) / PRODUCTS_PER_PAGE);
}

/** Cuts a list into pages of no more than a weight; what weighs more by itself has a page of its own. */
export function cutByWeight<T>(items: readonly T[], weightOf: (item: T) => number, limit: number): T[][] {
  const pages: T[][] = [];
  let weight = limit;
  for (const item of items) {
    const own = weightOf(item);
    const last = pages.at(-1);
    if (last && weight + own <= limit) {
      last.push(item);
      weight += own;
    } else {
      pages.push([item]);
      weight = own;
    }
  }
  return pages;
}

/** How large the range is, counted, not claimed. */
export function rangeNumbers(site: Pick<Site, 'count' | 'productGroups' | 'languages'>, language: string) {
  const families = site.productGroups(language).filter(({ family }) => family).length;
  return { ...site.count(language), families, languages: site.languages.length };
}
