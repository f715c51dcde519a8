import type english from './advice/english.json';

/** Kind of content. It decides which checks apply and what they expect. */
export type AnalysisSubject = 'post' | 'page' | 'term' | 'product';

export const ADVICE_LANGUAGES = ['de', 'en', 'fr'] as const;
export type AdviceLanguage = (typeof ADVICE_LANGUAGES)[number];

export interface AnalysisInput {
  /** Language of the text, such as `de` or `de-AT`. */
  language: string;
  /** Language of the advice. Defaults to the text's language if there is advice in it, otherwise English. */
  adviceLanguage?: AdviceLanguage;
  kind: AnalysisSubject;
  /** Title as search results show it, with template variables filled in. */
  title: string;
  /** Description as search results show it; empty if there is none. */
  description: string;
  /** Last segment of the address. */
  slug: string;
  /** Keyphrase that visitors should find the content with; empty if there is none. */
  keyphrase: string;
  synonyms?: readonly string[];
  /** Content as HTML, rendered or as stored. */
  html: string;
  /** Absolute address of the page. Distinguishes internal from outbound links. */
  address?: string;
  /** Links of the page that are not in `html`. */
  links?: readonly AnalysedLink[];
  /** Images of the page that are not in `html`, such as the featured one. `alt` is empty if missing. */
  images?: readonly AnalysedImage[];
  isCornerstone?: boolean;
  /** Number of other contents with the same keyphrase. */
  keyphraseUses?: number;
  /** Product identifiers; checked for products only. */
  gtin?: string;
  sku?: string;
}

export interface AnalysedLink {
  href: string;
  text: string;
  isFollowed: boolean;
}

export interface AnalysedImage {
  alt: string;
}

export type Rating = 'good' | 'ok' | 'bad' | 'neutral';

export interface CheckResult {
  id: CheckId;
  area: 'seo' | 'readability';
  score: number;
  rating: Rating;
  /** Advice as plain text, with the measured and recommended values. */
  advice: string;
}

export interface Analysis {
  /** 1 to 100, or 0 without a keyphrase. Up to 40 is bad, up to 70 ok, above good. */
  seo: number;
  /** 0 if there is too little text to judge. */
  readability: 0 | 30 | 60 | 90;
  /** 0 to 100, from the title's checks alone; 0 if the title is empty. */
  titleScore: number;
  /** 0 to 100, from the description's checks alone; 0 if the description is empty. */
  descriptionScore: number;
  /** Whole minutes at 200 words each, at least 1 if there are words. */
  readingMinutes: number;
  words: number;
  /** Flesch reading ease with the language's formula, 0 to 100; undefined for languages without one. */
  readingEase: number | undefined;
  titleWidthPx: number;
  descriptionWidthPx: number;
  results: CheckResult[];
}

/** Checks, named as in the advice. */
export type CheckId = keyof typeof english;
