import type { FamilyTools } from '#catalogue/facets/comparable-families.ts';
import type { Availability } from '#contracts/product/index.ts';

/** Texts that stand on every product page of a language, by what they are for. */
export type Words = Record<
  | 'skip'
  | 'main'
  | 'search'
  | 'searchhint'
  | 'searchsubmit'
  | 'language'
  | 'breadcrumb'
  | 'footer'
  | 'item'
  | 'gtin'
  | 'unit'
  | 'documents'
  | 'values'
  | 'attribute'
  | 'value'
  | 'norm'
  | 'nonorm'
  | 'norms'
  | 'formats'
  | 'dimensions'
  | 'packaging'
  | 'materials'
  | 'maker'
  | 'stated'
  | 'need'
  | 'calculator'
  | 'codes'
  | 'compare'
  | 'filter',
  string
>;

/** What stands around every page of a language. All keys of facts are one word in small letters: Hugo knows no other. */
export interface PageChrome {
  language: string;
  lang: string;
  dir: string;
  locale: string;
  site: string;
  home: string;
  /** Path of the page that searches. */
  search: string;
  words: Words;
  navigation: { name: string; path: string }[];
  /** The three kinds of documents, none of which a generated product has. */
  documents: { name: string; missing: string }[];
  maker: { name: string; address: string[]; email: string };
  pages: { title: string; path: string }[];
  languages: { name: string; path: string; lang: string }[];
}

/** A code as its page draws it: what its image covers, its ground, its bars or modules, and what it is called. */
interface DrawnCode {
  box: string;
  ground: string;
  path: string;
  label: string;
}

/**
 * A product as its page shows it, with numbers, dates and prices already written in the language of the page: the
 * peers have only HTML to make of it.
 */
export interface ProductFacts {
  language: string;
  /** Root-relative path of the page, with a slash at both ends. */
  path: string;
  /** Its absolute address. */
  url: string;
  name: string;
  description: string;
  robots: string;
  alternates: { lang: string; url: string }[];
  /** Open Graph's names of the other languages it is in. */
  locales: string[];
  /** Picture for link previews: products of the bench have no other than the site's. */
  preview: { url: string; width: number; height: number };
  /** Path of the same as Markdown. */
  markdown: string;
  /** Linked data, as JSON. */
  nodes: string[];
  choices: { name: string; path: string; lang: string; current: boolean }[];
  /** Up to the page itself, which isn't among them. */
  crumbs: { name: string; path: string }[];
  family?: { name: string; path: string };
  intro: string;
  item: string;
  gtin: string;
  unit: string;
  availability: { state: Availability; shape: string; text: string; note: string };
  price?: { amount: string; terms: string; unit: string };
  texts: { field: string; title: string; html: string }[];
  /** With the path of the norm's page, if there is one. */
  attributes: { name: string; norm: string; path: string; value: string }[];
  /** What these norms are about, as far as it is written; `lang` where that is in another language. */
  norms: { norm: string; line: string; lang: string }[];
  /** In inches, feet and pounds as well where the language is given them, or else empty. */
  dimensions: { name: string; value: string; imperial: string }[];
  /** With the trade units that it holds, counted in words. */
  packaging: { name: string; unit: string; holds: string }[];
  need?: { heads: string[]; rows: { head: string; cells: string[] }[]; note: string; calculator: string };
  codes: { ean: DrawnCode & { first: string; left: string; right: string }; qr: DrawnCode };
  materials: { name: string; value: string }[];
  changed: { day: string; text: string };
  related?: { title: string; products: { name: string; path: string; item: string }[]; ways?: FamilyTools };
}
