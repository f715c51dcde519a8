import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type {
  ProductListEntry,
  DocumentAsset,
  EarlierDocumentAsset,
  ProductEntry,
} from '#catalogue/entries/entries.ts';
import { numberedPath, discontinuedPath, downloadsPath, familyDownloadsPath } from '../addresses/paths.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import { splitByWeight, findGroup } from '../site/family-pages.ts';
import type { Site } from '../site/load-site.ts';
import { MAX_GROUP_ROWS, GROUP_SOURCES, type FamilyGroup, type ProductGroup } from '../site/product-groups.ts';
import { numberPages, paginate } from '../site/navigation.ts';
import { DOCUMENT_FIELDS } from '#contracts/product/index.ts';

const PRODUCTS_PER_PAGE = 32;

/** Lists the pages of the documents of all families, with the first products of each family. */
export function downloadsPages(site: Pick<Site, 'productGroups'>, language: string) {
  const cut = splitByWeight(site.productGroups(language), countOnMainPage, PRODUCTS_PER_PAGE);
  const pages = cut.length === 0 ? [[]] : cut;
  return pages.map((productGroups, i) => ({ productGroups, number: i + 1, total: pages.length }));
}

export const downloadsPaths = trackedQuery(
  'downloadsPaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => downloadsPages(site, code).length >= number,
      (code) => numberedPath(downloadsPath(code), number),
    ),
);

/**
 * Returns the products whose documents are on the page of all families. All products without a family are listed there.
 */
export function initialDownloads(productGroup: ProductGroup): readonly ProductListEntry[] {
  return productGroup.family ? productGroup.head(MAX_GROUP_ROWS) : productGroup.products;
}

/** True if a family has a page of its documents. */
export function hasDownloads(productGroup: Pick<ProductGroup, 'family' | 'count'>): boolean {
  return productGroup.family !== undefined && productGroup.count > MAX_GROUP_ROWS;
}

/** Returns the path of the list of a family's documents. */
export const familyDocumentsPath = trackedQuery(
  'familyDocumentsPath',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups'>, language: string, id: string): string => {
    const productGroup = findGroup(site, language, id);
    if (productGroup && hasDownloads(productGroup)) return familyDownloadsPath(language, id);
    const page = downloadsPages(site, language).find(({ productGroups }) =>
      productGroups.some(({ family }) => family?.id === id),
    );
    return `${numberedPath(downloadsPath(language), page?.number ?? 1)}#${id}`;
  },
);

export function familyDownloadsPages({ family, productGroup }: FamilyGroup) {
  const total = hasDownloads(productGroup) ? Math.ceil(productGroup.count / PRODUCTS_PER_PAGE) : 0;
  return numberPages(total).map((page) => ({ family, productGroup, ...page }));
}

/** Returns a page and its products. Undefined if the page doesn't exist. */
export const familyDownloadsPage = trackedQuery(
  'familyDownloadsPage',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups'>, { language, id, number }: { language: string; id: string; number: number }) => {
    const productGroup = findGroup(site, language, id);
    const pages = productGroup?.family ? familyDownloadsPages({ family: productGroup.family, productGroup }) : [];
    const page = pages[number - 1];
    if (!page) return undefined;
    const items = page.productGroup.products.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
    return { ...page, items };
  },
);

export const familyDownloadsPaths = trackedQuery(
  'familyDownloadsPaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'languages'>, { id, number }: { id: string; number: number }) =>
    pathsByLanguage(
      site,
      (language) => familyDownloadsPage(site, { language, id, number }),
      (code) => numberedPath(familyDownloadsPath(code, id), number),
    ),
);

export function discontinuedPages(site: Pick<Site, 'discontinued'>, language: string) {
  const products = site.discontinued(language);
  return products.length === 0 ? [] : paginate(products, PRODUCTS_PER_PAGE);
}

export const discontinuedPaths = trackedQuery(
  'discontinuedPaths',
  ['lists', 'languages'],
  (site: Pick<Site, 'discontinued' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => discontinuedPages(site, code).length >= number,
      (code) => numberedPath(discontinuedPath(code), number),
    ),
);

function countOnMainPage(productGroup: ProductGroup): number {
  return productGroup.family ? Math.min(productGroup.count, MAX_GROUP_ROWS) : productGroup.count;
}

export interface DocumentListItem {
  /** Key of the kind. */
  field: string;
  /** Undefined if the manufacturer provides none, which is often correct. Present it as neutral information. */
  document?: DocumentAsset;
  /** Earlier versions, newest first. */
  earlier: EarlierDocumentAsset[];
}

/** Lists the documents in display order, including the kinds of the interface that a product has no document of. */
export function documentList({
  documents,
  earlierDocuments,
}: Pick<ProductEntry, 'documents' | 'earlierDocuments'>): DocumentListItem[] {
  const fields = new Set<string>([
    ...DOCUMENT_FIELDS,
    ...[...documents, ...earlierDocuments].map(({ field }) => field),
  ]);
  return [...fields].flatMap((field) => {
    const earlier = earlierDocuments.filter((candidate) => candidate.field === field);
    const found = documents.filter((candidate) => candidate.field === field);
    if (found.length === 0) return { field, earlier };
    return found.map((document, i) => ({ field, document, earlier: i === 0 ? earlier : [] }));
  });
}
