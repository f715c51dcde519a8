import { sitePath } from './base.ts';

/** Path of the text index of a language. */
export function searchTextFolder(language: string): string {
  return sitePath(`/_search/${language}/text/`);
}

/** @param part Zero-based. Part 0 always exists and contains the script, posts and pages. */
export function searchPartFolder(language: string, part: number): string {
  return `${searchTextFolder(language)}${part}/`;
}

/** File with the number of parts of the text index. */
export const SEARCH_PARTS_FILE = 'parts.json';

export interface SearchParts {
  parts: number;
}

export function searchNumbersFolder(language: string): string {
  return sitePath(`/_search/${language}/numbers/`);
}

/** File that lists the number files of a language. */
export const NUMBERS_LIST = 'list.json';

/** GTIN range of each number file. */
export interface NumbersList {
  files: { file: string; first: string; last: string }[];
}

/** Numbers of products as columns, which compress better than rows. */
export interface NumbersFile {
  gtins: string[];
  items: string[];
  names: string[];
  /** Slugs that differ from `productSlug(name, gtin)`, by index. */
  slugs: Record<number, string>;
  /** Languages of names that differ from the page's language, by index. */
  languages: Record<number, string>;
}

/** Metadata of a text search result, in addition to its URL. */
export type SearchMeta = {
  title: string;
  text?: string;
  item_number?: string;
  gtin?: string;
  family?: string;
  /** Path of the image. */
  image?: string;
  /** BCP 47 tag of the language if it differs from the page's language. */
  lang?: string;
};

/** Kinds of search results. */
export const SEARCH_KINDS = ['product', 'post', 'episode', 'page'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
