import type { DiscontinuedProduct, ListedNorm, ListedGroup } from './listed-rows.ts';
import type { NormInGroup } from '../norms/norm-groups.ts';
import type { DocumentAsset, EarlierDocumentAsset, ListedEntry, ProductEntry } from '#model/entries.ts';
import type { HashPart } from '#files/hash-parts.ts';
import type { Directory } from './directory.ts';

/** Documents of a product. */
export interface ListedDocuments {
  documents: DocumentAsset[];
  /** Those that held before, newest first. */
  earlierDocuments: EarlierDocumentAsset[];
}

/** Documents of a product, and what a list of documents says of it. */
export interface DocumentsOfProduct extends ListedDocuments {
  product: Pick<ListedEntry, 'gtin' | 'name' | 'item_number' | 'slug'>;
  /** When it left the range; undefined for what is offered. */
  archivedSince: Date | undefined;
}

/** How many neighbours the page of a product shows. */
export const NEIGHBOURS = 4;

/** Where a product is listed, or was, in the assortment's order. */
export interface ListPlace {
  language: string;
  /** A family, or '' for what belongs to none. */
  productGroup: string;
  position: number;
  gtin: string;
}

/** Which page there is of a product. */
export interface IndexedPage {
  id: string;
  data: { pageLanguage: string; slug: string; gtin: string };
}

/** Fields of a product that the product index has in columns of their own. */
export interface ListedColumns extends Pick<
  ProductEntry,
  'name' | 'gtin' | 'language' | 'item_number' | 'pageLanguage' | 'slug' | 'family'
> {
  /** Present only if the product is still offered. */
  archived?: undefined;
}

export interface ProductDigests {
  gtin: string;
  digests: string;
}

/** What lists show of products, read product group by product group. Only the last product groups stay in memory. */
export interface ProductIndex extends Directory {
  /** How many products are offered in a language. */
  count(language: string): number;
  /** How many documents there are of them and of what is no longer offered, earlier ones left out. */
  countDocuments(language: string): number;
  /** Of a product, offered or not. */
  documentsOf(language: string, gtin: string): ListedDocuments;
  /** Of all products that have any, row by row: in the assortment's order what is offered, then what no longer is. */
  documents(language: string): IterableIterator<DocumentsOfProduct>;
  /** What is no longer offered and has documents, in the order that it had. */
  discontinued(language: string): DiscontinuedProduct[];
  /** Norms and the product groups that declare something under them, by their slugs. */
  norms(language: string): ListedNorm[];
  /** As far as the page of the norm shows it. */
  normInGroup(language: string, norm: string, productGroup: string): NormInGroup | undefined;
  productGroups(language: string): ListedGroup[];
  /**
   * From now on, read whole product groups when one of their products is asked for, as many of them will be; or no longer, as
   * those that follow will be on others.
   */
  readAhead(isOn?: boolean): void;
  /** What is offered on a product group, in the assortment's order. The same list as long as it is in memory. */
  productGroup(language: string, productGroup: string): readonly ListedEntry[];
  /** The first of a product group. */
  head(language: string, productGroup: string, limit: number): readonly ListedEntry[];
  /** Those behind a product on its product group, going round to the first; the first for what is no longer offered. */
  neighbours(entry: ListedEntry): readonly ListedEntry[];
  /** Offered or not. */
  product(language: string, gtin: string): ListedEntry | undefined;
  /** What is offered under these names or item numbers, of each name no more than `limit`, by GTIN. */
  named(language: string, names: readonly string[], limit: number): ListedEntry[];
  /** Changes with every change of a product. */
  revision(): string;
  /** Pages of all products, offered or not, by product group, and all languages of a product together. */
  index(): IndexedPage[];
  /** All products, offered or not, in the order of lists. */
  columns(): { id: string; digest: string; columns: ListedColumns }[];
  /** Pages that show what is listed at one of these places as a neighbour, or would if something were; by id. */
  pagesShowing(places: readonly ListPlace[]): Map<string, IndexedPage>;
  /** Pages of a product, in all languages. */
  pagesOf(gtin: string): IndexedPage[];
  /** Up to so many pages, others each time: each of them once. */
  samples(count: number): IndexedPage[];
  /** What is offered in a part of all, by `hashBucket(gtin)`, in the order of GTINs. */
  part(language: string, part: HashPart): ListedEntry[];
  /** Names all that the pages of these products can show. */
  partDigests(language: string, part: HashPart): { gtin: string; digest: string }[];
  /** Every product, offered or not, with what names all that its pages can show, in any language. */
  digests(): Iterable<ProductDigests>;
  /** The same of one; undefined when there is none such. */
  digestsOfProduct(gtin: string): string | undefined;
  /** When what the page shows has last changed, ISO. */
  changedAt(language: string, gtin: string): string | undefined;
  /** Names all that the page of an entry of this product index can show, but for its neighbours. */
  digestOf(entry: ListedEntry): string;
  /** Names what others show of an entry of this product index; undefined for everything else. */
  findRowDigest(entry: object): string | undefined;
}
