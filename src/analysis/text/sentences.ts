import { stripTags } from '#contracts/index.ts';
import type { LanguageRules } from '../languages/language-rules.ts';

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
