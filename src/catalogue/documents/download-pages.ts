import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { ListedEntry } from '#model/entries.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { discontinuedPath, downloadsPath, familyDownloadsPath } from '../addresses/paths.ts';
import type { DiscontinuedProduct } from '../port/listed-rows.ts';
import { question } from '../port/reads.ts';
import { cutByWeight, findGroup } from '../site/family-pages.ts';
import type { Site } from '../site/site.ts';
import { GROUP_HEAD, LISTED, type FamilyGroup, type ProductGroup } from '../site/product-groups.ts';
import { pageList, type PageOfList } from '../site/standing-pages.ts';

/** A page of the documents of all families: the first products of each. */
export interface DownloadsPage {
  productGroups: readonly ProductGroup[];
  /** From 1. */
  number: number;
  total: number;
}

/** A page of the documents of one family, where that is more than the page of all families shows. */
export interface FamilyDownloadsPage extends FamilyGroup {
  /** From 1. */
  number: number;
  total: number;
}

const PRODUCTS_PER_PAGE = 32;

export function downloadsPages(site: Pick<Site, 'productGroups'>, language: string): DownloadsPage[] {
  const cut = cutByWeight(site.productGroups(language), shownOf, PRODUCTS_PER_PAGE);
  const pages = cut.length === 0 ? [[]] : cut;
  return pages.map((productGroups, i) => ({ productGroups, number: i + 1, total: pages.length }));
}

/** Language -> path of the same page, as far as there is one. */
export const downloadsPaths = question(
  'downloadsPaths',
  LISTED,
  (site: Pick<Site, 'productGroups' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => downloadsPages(site, code).length >= number,
      (code) => numberedPath(downloadsPath(code), number),
    ),
);

/** Products whose documents the page of all families shows. What belongs to no family has no page of its own. */
export function downloadsHead(productGroup: ProductGroup): readonly ListedEntry[] {
  return productGroup.family ? productGroup.head(GROUP_HEAD) : productGroup.products;
}

/** Whether a family has a page of its own documents. */
export function hasDownloads(productGroup: Pick<ProductGroup, 'family' | 'count'>): boolean {
  return productGroup.family !== undefined && productGroup.count > GROUP_HEAD;
}

export function familyDownloadsPages({ family, productGroup }: FamilyGroup): FamilyDownloadsPage[] {
  const total = hasDownloads(productGroup) ? Math.ceil(productGroup.count / PRODUCTS_PER_PAGE) : 0;
  return Array.from({ length: total }, (_, i) => ({ family, productGroup, number: i + 1, total }));
}

/** A page, and the products whose documents stand on it; undefined when there is no such page. */
export const familyDownloadsPage = question('familyDownloadsPage', LISTED, findPage);

function findPage(
  site: Pick<Site, 'productGroups'>,
  { language, id, number }: { language: string; id: string; number: number },
): (FamilyDownloadsPage & { items: readonly ListedEntry[] }) | undefined {
  const productGroup = findGroup(site, language, id);
  const pages = productGroup?.family ? familyDownloadsPages({ family: productGroup.family, productGroup }) : [];
  const page = pages[number - 1];
  if (!page) return undefined;
  const items = page.productGroup.products.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
  return { ...page, items };
}

export const familyDownloadsPaths = question(
  'familyDownloadsPaths',
  LISTED,
  (site: Pick<Site, 'productGroups' | 'languages'>, { id, number }: { id: string; number: number }) =>
    pathsByLanguage(
      site,
      (language) => findPage(site, { language, id, number }),
      (code) => numberedPath(familyDownloadsPath(code, id), number),
    ),
);

/** Of the documents of what is no longer offered; none when there are no such. */
export type DiscontinuedPage = PageOfList<DiscontinuedProduct>;

export function discontinuedPages(site: Pick<Site, 'discontinued'>, language: string): DiscontinuedPage[] {
  const products = site.discontinued(language);
  return products.length === 0 ? [] : pageList(products, PRODUCTS_PER_PAGE);
}

export const discontinuedPaths = question(
  'discontinuedPaths',
  ['lists', 'languages'],
  (site: Pick<Site, 'discontinued' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => discontinuedPages(site, code).length >= number,
      (code) => numberedPath(discontinuedPath(code), number),
    ),
);

function shownOf(productGroup: ProductGroup): number {
  return productGroup.family ? Math.min(productGroup.count, GROUP_HEAD) : productGroup.count;
}
