import type { HashPart } from '#files/hash-parts.ts';

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
