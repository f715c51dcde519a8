import type { HashPart } from '#files/hash-parts.ts';

/** Tables of all that is offered, in three orders. */
export const REGISTER_LISTS = ['names', 'item-numbers', 'gtins'] as const;

export type RegisterList = (typeof REGISTER_LISTS)[number];

/** A page of such a table. */
export interface RegisterPage {
  list: RegisterList;
  /** The letter of the A-Z list; empty in the others. */
  section: string;
  /** From 1, in its section. */
  number: number;
  count: number;
  /** What its first and last row are found by. */
  first: string;
  last: string;
  /** Names all that its rows show. */
  digest: string;
}

/** One row. */
export interface RegisterRow {
  gtin: string;
  name: string;
  /** Of the name, which may be that of another language. */
  language: string;
  item_number: string;
  slug: string;
}

/** What is read of the register. */
export interface Register {
  /** The pages of all tables in a language, in order. */
  registerPages(language: string): RegisterPage[];
  registerRows(language: string, page: Pick<RegisterPage, 'list' | 'section' | 'number'>): RegisterRow[];
  /** All rows by GTIN, one after the other. */
  registered(language: string): Iterable<RegisterRow>;
  /** Names all that the search looks into, of a part by `hashPlace(gtin)`. */
  searchDigest(language: string, part: HashPart): string;
}
