import type { HashPart } from '#files/hash-parts.ts';

/** Tables of all that is offered, in three orders. */
export const DIRECTORY_LISTS = ['names', 'item-numbers', 'gtins'] as const;

export type DirectoryList = (typeof DIRECTORY_LISTS)[number];

/** A page of such a table. */
export interface DirectoryPage {
  list: DirectoryList;
  /** The letter of the A-Z list; empty in the others. */
  section: string;
  /** From 1, in its section. */
  number: number;
  /** What its first and last row are found by. */
  first: string;
  last: string;
  /** Names all that its rows show. */
  digest: string;
}

/** One row. */
export interface DirectoryRow {
  gtin: string;
  name: string;
  /** Of the name, which may be that of another language. */
  language: string;
  item_number: string;
  slug: string;
}

/** What is read of the register. */
export interface Directory {
  /** The pages of all tables in a language, in order. */
  directoryPages(language: string): DirectoryPage[];
  directoryRows(language: string, page: Pick<DirectoryPage, 'list' | 'section' | 'number'>): DirectoryRow[];
  /** All rows by GTIN, one after the other. */
  allDirectoryRows(language: string): Iterable<DirectoryRow>;
  /** Names all that the search looks into, of a part by `hashBucket(gtin)`. */
  searchDigest(language: string, part: HashPart): string;
}
