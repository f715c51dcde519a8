import { sitePath } from './base.ts';

/** Where the search of a language lies in the site: its text index, in parts, and its numbers. */
export function searchTextFolder(language: string): string {
  return sitePath(`/_search/${language}/text/`);
}

/** @param part From 0; that one is always there, with the script and with posts and pages. */
export function searchPartFolder(language: string, part: number): string {
  return `${searchTextFolder(language)}${part}/`;
}

/** Says how many parts the text index has. */
export const SEARCH_PARTS_FILE = 'parts.json';

export interface SearchParts {
  parts: number;
}

export function searchNumbersFolder(language: string): string {
  return sitePath(`/_search/${language}/numbers/`);
}

/** Lists the files with numbers. */
export const NUMBERS_LIST = 'list.json';

/** Which files have which numbers, by GTIN. */
export interface NumbersList {
  files: { file: string; first: string; last: string }[];
}

/** Numbers of products, column by column, which compresses best. */
export interface NumbersFile {
  gtins: string[];
  items: string[];
  names: string[];
  /** By index, where it is not the one that name and GTIN make. */
  slugs: Record<number, string>;
  /** By index, where the name is in another language than the page. */
  languages: Record<number, string>;
}

/** What the text search says of a hit, beside its address. */
export type SearchMeta = {
  title: string;
  /** One line below the title. */
  text?: string;
  item_number?: string;
  gtin?: string;
  family?: string;
  /** Path of a picture. */
  image?: string;
  /** Tag of the language, when it isn't that of the page. */
  lang?: string;
};

/** What one can search among. */
export const SEARCH_KINDS = ['product', 'post', 'episode', 'page'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
