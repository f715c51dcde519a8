import type { LanguageRules } from '../languages/language-rules.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
/** A sign that may end a sentence, with quotes and brackets that close behind it. */
const END = /[.!?…]["'»”“’)\]]{0,3}\s/g;
const LOWER_CASE = /^["'«„“‘([]{0,3}\p{Ll}/u;
const LONGEST_ABBREVIATION = 12;

/** The words of a text in their order, as they are written. In French an elided article is a word of its own. */
export function wordsOf(text: string, rules?: LanguageRules): string[] {
  return text.match(rules?.splitsAtApostrophes ? PART : WORD) ?? [];
}

export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** The sentences of one paragraph on one line. A full stop behind an abbreviation or an ordinal number ends none. */
export function sentencesOf(paragraph: string, rules?: LanguageRules): string[] {
  const sentences: string[] = [];
  let begin = 0;
  for (const found of paragraph.matchAll(END)) {
    const end = found.index + found[0].length;
    if (LOWER_CASE.test(paragraph.slice(end, end + 4))) continue;
    if (found[0].startsWith('.') && isAbbreviated(paragraph.slice(begin, found.index), rules)) continue;
    sentences.push(paragraph.slice(begin, end).trim());
    begin = end;
  }
  const rest = paragraph.slice(begin).trim();
  if (rest !== '') sentences.push(rest);
  return sentences.filter((sentence) => wordsOf(sentence).length > 0);
}

function isAbbreviated(before: string, rules: LanguageRules | undefined): boolean {
  const near = before.slice(-LONGEST_ABBREVIATION);
  const word = near
    .slice(near.lastIndexOf(' ') + 1)
    .toLowerCase()
    .replace(/^[("„“«]/, '');
  if (/^\p{L}$/u.test(word)) return true;
  if (rules?.hasOrdinalStops && /^\d{1,2}$/.test(word)) return true;
  return rules?.abbreviations.has(word) ?? false;
}

/** Parts of a sentence between commas and the like. */
export function clausesOf(sentence: string): string[] {
  return sentence.split(/[,;:()–—]/);
}
