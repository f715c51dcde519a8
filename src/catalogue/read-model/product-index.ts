import type { GroupNorm } from '../norms/norm-groups.ts';
import type {
  DocumentAsset,
  EarlierDocumentAsset,
  ProductListEntry,
  ProductEntry,
  ImageAsset,
} from '#catalogue/entries/entries.ts';
import type { HashPart } from '#files/hash-parts.ts';
import type { FacetSummary } from '../facets/group-facets.ts';
import type { Highlight } from '../products/key-values.ts';

export interface ListedDocuments {
  documents: DocumentAsset[];
  /** Replaced documents, newest first. */
  earlierDocuments: EarlierDocumentAsset[];
}

/** Documents of a product, with the product's data for document lists. */
export interface ProductDocuments extends ListedDocuments {
  product: Pick<ProductListEntry, 'gtin' | 'name' | 'item_number' | 'slug'>;
  /** Date on which it was discontinued. Undefined for current products. */
  archivedSince: Date | undefined;
}

/** Number of neighbours on the page of a product. */
export const MAX_NEIGHBOURS = 4;

/** Current or former position of a product in the assortment's order. */
export interface ListPosition {
  language: string;
  /** ID of the family. Empty for products without a family. */
  productGroup: string;
  position: number;
  gtin: string;
}

/** Page of a product. */
export interface IndexedPage {
  id: string;
  data: { pageLanguage: string; slug: string; gtin: string };
}

/** Fields of a product that are columns of the product index. */
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

/** Product data for lists, read group by group. Only the most recent groups stay in memory. */
export interface ProductIndex extends Directory {
  /** Number of current products in a language. */
  count(language: string): number;
  /** Number of current documents, including those of discontinued products. */
  countDocuments(language: string): number;
  /** Returns the documents of a current or discontinued product. */
  documentsOf(language: string, gtin: string): ListedDocuments;
  /**
   * Iterates over the documents of all products, in the assortment's order. Current products come first, discontinued
   * products last.
   */
  documents(language: string): IterableIterator<ProductDocuments>;
  /** Returns discontinued products with documents, in their former order. */
  discontinued(language: string): DiscontinuedProduct[];
  /** Returns norms with the groups that declare values under them, by slug. */
  norms(language: string): ListedNorm[];
  /** Returns the values that a group declares under a norm, up to the limit of the norm's page. */
  normInGroup(language: string, norm: string, productGroup: string): GroupNorm | undefined;
  productGroups(language: string): ListedGroup[];
  /**
   * Enables or disables reading whole product groups on access to one product. Enable it when many products of a group
   * follow.
   */
  readAhead(isOn?: boolean): void;
  /**
   * Returns the current products of a group, in the assortment's order. The list is the same object while it is in
   * memory.
   */
  productGroup(language: string, productGroup: string): readonly ProductListEntry[];
  /** Returns the first products of a group. */
  head(language: string, productGroup: string, limit: number): readonly ProductListEntry[];
  /**
   * Returns the products after a product in its group, wrapping to the first. Returns the first products for a
   * discontinued one.
   */
  neighbours(entry: ProductListEntry): readonly ProductListEntry[];
  /** Returns a current or discontinued product. */
  product(language: string, gtin: string): ProductListEntry | undefined;
  /** Returns the current products with these names or item numbers, at most `limit` per name, by GTIN. */
  named(language: string, names: readonly string[], limit: number): ProductListEntry[];
  /** Returns a value that changes with every change of a product. */
  revision(): string;
  /**
   * Returns the pages of all current and discontinued products, by product group. Languages of a product are adjacent.
   */
  index(): IndexedPage[];
  /** Returns all current and discontinued products, in the order of lists. */
  columns(): { id: string; digest: string; columns: ListedColumns }[];
  /** Returns the pages, by ID, that have one of these positions among their neighbours, occupied or not. */
  pagesShowing(places: readonly ListPosition[]): Map<string, IndexedPage>;
  /** Returns the pages of a product in all languages. */
  pagesOf(gtin: string): IndexedPage[];
  /** Returns the next pages of a rotation, at most `count`. Each page is returned once. */
  samples(count: number): IndexedPage[];
  /** Returns the current products of a hash bucket (`hashBucket(gtin)`), by GTIN. */
  part(language: string, part: HashPart): ProductListEntry[];
  /** Returns the digests of everything that the pages of a hash bucket's products show. */
  partDigests(language: string, part: HashPart): { gtin: string; digest: string }[];
  /** Returns the digests of everything that the pages of each product show, in all languages. */
  digests(): Iterable<ProductDigests>;
  /** Returns the digests of one product. Undefined if it doesn't exist. */
  digestsOfProduct(gtin: string): string | undefined;
  /** Returns the ISO timestamp of the last change of a page's content. */
  changedAt(language: string, gtin: string): string | undefined;
  /** Returns the digest of everything that a product's page shows, excluding its neighbours. */
  digestOf(entry: ProductListEntry): string;
  /** Returns the digest of everything that other pages show of an entry of this index. Undefined for other objects. */
  findRowDigest(entry: object): string | undefined;
}

/** Tables of all current products, in three orders. */
export const DIRECTORY_LISTS = ['names', 'item-numbers', 'gtins'] as const;

export type DirectoryList = (typeof DIRECTORY_LISTS)[number];

/** Page of a product table. */
export interface DirectoryPage {
  list: DirectoryList;
  /** Letter of the A-Z list. Empty for the other lists. */
  section: string;
  /** One-based, within its section. */
  number: number;
  /** Sort labels of the first and last row. */
  first: string;
  last: string;
  /** Digest of the rows. */
  digest: string;
}

/** Row of a product table. */
export interface DirectoryRow {
  gtin: string;
  name: string;
  /** Language of the name, which may differ from the page's language. */
  language: string;
  item_number: string;
  slug: string;
}

/** Read access to the product tables. */
export interface Directory {
  /** Returns the pages of all tables in a language, in order. */
  directoryPages(language: string): DirectoryPage[];
  directoryRows(language: string, page: Pick<DirectoryPage, 'list' | 'section' | 'number'>): DirectoryRow[];
  /** Iterates over all rows by GTIN. */
  allDirectoryRows(language: string): Iterable<DirectoryRow>;
  /** Digest of everything that the search indexes of the products in a hash bucket. */
  searchDigest(language: string, part: HashPart): string;
}

/** A product group in a language, without its products. */
export interface ListedGroup {
  /** ID of the family. Empty for products without a family. */
  productGroup: string;
  count: number;
  /** Properties shown in lists, in this order. Those named by the assortment come first. */
  highlights: readonly Highlight[];
  /** First image of a product in the group. */
  image: ImageAsset | undefined;
  /** GTIN of the product that represents the group. */
  firstGtin: string;
  /** True if the material need can be calculated from the size of at least one product. */
  isMeasured: boolean;
  /** Digest of the documents shown in tables. */
  documentsDigest: string;
  /** Facets of the group. Empty for products without a family. */
  facets: FacetSummary[];
}

/** A discontinued product, with the digest of everything that pages show of it. */
export interface DiscontinuedProduct {
  gtin: string;
  digest: string;
}

/** A norm under which products of a group declare values. */
export interface ListedNorm {
  /** `en-1928`. */
  norm: string;
  productGroup: string;
  /** `EN 1928`. */
  name: string;
  /** Number of products. */
  count: number;
  /** Number of declared values, and number of those that `normInGroup` returns. */
  values: number;
  rows: number;
  /** Digest of the result of `normInGroup`. */
  digest: string;
}
