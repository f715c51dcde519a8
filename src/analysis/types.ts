/** What is analysed decides which checks apply and what they want. */
export type AnalysedKind = 'post' | 'page' | 'term' | 'product';

/** Languages that advice is written in. */
export const ADVICE_LANGUAGES = ['de', 'en', 'fr'] as const;
export type AdviceLanguage = (typeof ADVICE_LANGUAGES)[number];

export interface AnalysisInput {
  /** Language of the text, as `de` or `de-AT`. */
  language: string;
  /** Language of the advice; that of the text where there is advice in it, else English. */
  adviceLanguage?: AdviceLanguage;
  kind: AnalysedKind;
  /** The title as search results show it: variables of templates already filled in. */
  title: string;
  /** The same of the description; empty where there is none. */
  description: string;
  /** Last part of the address. */
  slug: string;
  /** What the content is to be found by; empty where none was chosen. */
  keyphrase: string;
  synonyms?: readonly string[];
  /** The content, rendered or as stored. */
  html: string;
  /** Absolute address of the page: tells links within the site from others. */
  address?: string;
  /** Links of the page that are not in `html`. */
  links?: readonly AnalysedLink[];
  /** Pictures of the page that are not in `html`, such as the featured one; `alt` is empty where there is none. */
  images?: readonly AnalysedImage[];
  isCornerstone?: boolean;
  /** How many other contents have the same keyphrase. */
  keyphraseUses?: number;
  /** Identifiers of a product; checked only there. */
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
  /** What to do, with the number found and the number wanted, as plain text. */
  advice: string;
}

export interface Analysis {
  /** 1 to 100; 0 without a keyphrase. Up to 40 is bad, up to 70 ok, above good. */
  seo: number;
  /** 0 where there is too little text to judge. */
  readability: 0 | 30 | 60 | 90;
  /** 0 to 100, by the checks of the title alone; 0 where it is empty. */
  titleScore: number;
  /** The same of the description. */
  descriptionScore: number;
  /** Whole minutes at 200 words each, at least 1 where there is a word. */
  readingMinutes: number;
  words: number;
  /** Flesch reading ease in the form for the language, 0 to 100; undefined for languages without one. */
  readingEase: number | undefined;
  titleWidthPx: number;
  descriptionWidthPx: number;
  results: CheckResult[];
}

export const SEO_CHECKS = [
  'keyphraseLength',
  'keyphraseIntroduction',
  'keyphraseDensity',
  'keyphraseTitle',
  'keyphraseDescription',
  'keyphraseSlug',
  'keyphraseHeadings',
  'keyphraseAlt',
  'keyphraseReuse',
  'functionWordsOnly',
  'titleWidth',
  'descriptionLength',
  'textLength',
  'images',
  'altTexts',
  'internalLinks',
  'outboundLinks',
  'competingLinks',
  'singleH1',
  'gtin',
  'sku',
] as const;

export const READABILITY_CHECKS = [
  'textPresence',
  'headingDistribution',
  'paragraphLength',
  'sentenceLength',
  'sentenceBeginnings',
  'passiveVoice',
  'transitionWords',
  'readingEase',
] as const;

export type CheckId = (typeof SEO_CHECKS)[number] | (typeof READABILITY_CHECKS)[number];
