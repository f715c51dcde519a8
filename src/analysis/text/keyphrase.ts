import { stripTags } from '#contracts/index.ts';
import { MAX_KEYPHRASE_LENGTH } from '#contracts/seo/head-values.ts';
import { removeAccents, type LanguageRules } from '../languages/index.ts';

export interface Keyphrase {
  /** All words in lower case, function words included. */
  words: readonly string[];
  /** Occurrences of each stem in the phrase. Counts content words, or all words if there are only function words. */
  stems: ReadonlyMap<string, number>;
  contentWords: number;
  hasOnlyFunctionWords: boolean;
}

/** Parses a keyphrase; undefined if the text has no words. */
export function parseKeyphrase(text: string, rules: LanguageRules | undefined): Keyphrase | undefined {
  const words = splitLowerCaseWords(text.slice(0, MAX_KEYPHRASE_LENGTH), rules);
  if (words.length === 0) return undefined;
  const content = rules ? words.filter((word) => !rules.functionWords.has(word)) : words;
  const counted = content.length > 0 ? content : words;
  return {
    words,
    stems: countOf(counted.map((word) => stemWord(word, rules))),
    contentWords: counted.length,
    hasOnlyFunctionWords: content.length === 0,
  };
}

export function splitLowerCaseWords(text: string, rules: LanguageRules | undefined): string[] {
  return tokenizeWords(text.toLowerCase(), rules);
}

/** Normalises a lower-case word for comparison: stemmed if the language has rules, otherwise without accents. */
export function stemWord(word: string, rules: LanguageRules | undefined): string {
  return rules ? rules.stem(word) : removeAccents(word);
}

export function stemText(text: string, rules: LanguageRules | undefined): string[] {
  return splitLowerCaseWords(text, rules).map((word) => stemWord(word, rules));
}

/** Counts occurrences of the phrase among the stems: as many as its rarest word has. */
export function countKeyphrase(stems: readonly string[], phrase: Keyphrase): number {
  if (phrase.stems.size > stems.length) return 0;
  const counts = countOf(stems.filter((stem) => phrase.stems.has(stem)));
  let least = Infinity;
  for (const [stem, needed] of phrase.stems) {
    least = Math.min(least, Math.floor((counts.get(stem) ?? 0) / needed));
    if (least === 0) break;
  }
  return least;
}

/** Counts the different words of the phrase among the stems. */
export function countMatchingStems(stems: readonly string[], phrase: Keyphrase): number {
  const known = new Set(stems);
  return [...phrase.stems.keys()].filter((stem) => known.has(stem)).length;
}

/** True if a short text is about the phrase. Short phrases need all words, longer ones more than half. */
export function matchesKeyphrase(stems: readonly string[], phrase: Keyphrase): boolean {
  const found = countMatchingStems(stems, phrase);
  return isShortKeyphrase(phrase) ? found === phrase.stems.size : found * 2 > phrase.stems.size;
}

export function isShortKeyphrase(phrase: Keyphrase): boolean {
  return phrase.stems.size <= 2;
}

/** Finds the exact phrase. Returns the number of content words before it, or -1. */
export function findExactKeyphrase(text: string, phrase: Keyphrase, rules: LanguageRules | undefined): number {
  const words = splitLowerCaseWords(text, rules);
  const last = words.length - phrase.words.length;
  for (let at = 0; at <= last; at++) {
    if (phrase.words.every((word, n) => words[at + n] === word)) {
      return words.slice(0, at).filter((word) => !rules?.functionWords.has(word)).length;
    }
  }
  return -1;
}

function countOf(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
/** Punctuation that may end a sentence, with closing quotes and brackets. */
const END = /[.!?…]["'»”“’)\]]{0,3}\s/g;
const LOWER_CASE = /^["'«„“‘([]{0,3}\p{Ll}/u;
const LONGEST_ABBREVIATION = 12;

/** Splits a text into words in the original letter case. A French elided article is a separate word. */
export function tokenizeWords(text: string, rules?: LanguageRules): string[] {
  return text.match(rules?.splitsAtApostrophes ? PART : WORD) ?? [];
}

export function countWords(text: string): number {
  return tokenizeWords(text).length;
}

const WORDS_PER_MINUTE = 200;

/** Returns the reading time of HTML in minutes: at least 1, or 0 without words. */
export function readingMinutes(html: string): number {
  const words = countWords(stripTags(html, ' '));
  return words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}

/** Splits a one-line paragraph into sentences. Abbreviations and ordinal numbers end no sentence. */
export function splitIntoSentences(paragraph: string, rules?: LanguageRules): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const found of paragraph.matchAll(END)) {
    const end = found.index + found[0].length;
    if (LOWER_CASE.test(paragraph.slice(end, end + 4))) continue;
    if (found[0].startsWith('.') && isAbbreviated(paragraph.slice(start, found.index), rules)) continue;
    sentences.push(paragraph.slice(start, end).trim());
    start = end;
  }
  const rest = paragraph.slice(start).trim();
  if (rest !== '') sentences.push(rest);
  return sentences.filter((sentence) => tokenizeWords(sentence).length > 0);
}

function isAbbreviated(before: string, rules: LanguageRules | undefined): boolean {
  const tail = before.slice(-LONGEST_ABBREVIATION);
  const word = tail
    .slice(tail.lastIndexOf(' ') + 1)
    .toLowerCase()
    .replace(/^[("„“«]/, '');
  if (/^\p{L}$/u.test(word)) return true;
  if (rules?.hasOrdinalStops && /^\d{1,2}$/.test(word)) return true;
  return rules?.abbreviations.has(word) ?? false;
}

/** Splits a sentence at commas and similar punctuation. */
export function splitClauses(sentence: string): string[] {
  return sentence.split(/[,;:()–—]/);
}
