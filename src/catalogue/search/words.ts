import { foldText } from '../languages/fold-text.ts';
import { baseLanguage } from '#contracts/localized.ts';

/** Maximum length of a query. Longer ones take seconds in large assortments. */
export const MAX_QUERY_CHARACTERS = 200;

/** Numbers such as `12311-2`, `15/5-10` or `1,5` are one word. */
const WORD = /\p{N}+(?:[.,/-]\p{N}+)*\p{L}*|[\p{L}\p{M}]+\p{N}*/gu;

/** Bodies that publish norms. Their names are no search words, because the same norm has several. `Uni` is one too. */
const NORM_BODIES = 'EN|ISO|IEC|DIN|BS|NF|SN|SIA|ÖNORM|ONORM|UNI(?=\\s+EN)|UNE|NBN|NEN|VDI';
const NORM = new RegExp(`(?<!\\p{L})(?:(?:${NORM_BODIES})[\\s/-]*)+(?=\\d{3})`, 'giu');
/** Edition of a norm: `EN 1928:2000-07`. */
const EDITION = /(?<=\d):\d{4}(?:-\d\d)?(?!\d)/g;

/** Splits a text into words as they are written. Prefixes and editions of norms are omitted. */
export function splitWords(text: string): string[] {
  return text.replaceAll(NORM, ' ').replaceAll(EDITION, '').match(WORD) ?? [];
}

/** Normalises a word for comparison: case, marks, decimal commas. */
export function foldWord(word: string): string {
  return foldText(word).replaceAll(',', '.');
}

/** Normalises a number by removing separators, case and marks: `AB-10110` equals `ab 10110`. */
export function foldNumber(text: string): string {
  return foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Endings of inflected forms. Other languages rely on prefixes. */
const ENDINGS: Readonly<Record<string, RegExp>> = {
  de: /(?:ern|e[nrsm]?|as?|n|s)$/,
  en: /(?<!s)s$/,
  es: /[aeo]?s?$/,
  fr: /(?:e?s|x|e)$/,
  it: /h?[aeio]$/,
  pt: /(?:ao|oes|l|is|s)$/,
};

const MIN_STEM = 4;

/** Returns a folded word without the ending of its form: `platten` and `platte` -> `platt`. */
export function stemWord(word: string, language: string): string {
  const ending = ENDINGS[baseLanguage(language)];
  const stem = ending ? word.replace(ending, '') : word;
  // `variabel` and `variable`.
  return stem.length < MIN_STEM ? word : stem.replace(/(?<=[bklt])el$/, 'l');
}

/**
 * Counts the typos between two words: missing, additional, wrong and transposed letters (optimal string alignment).
 *
 * @param isPart True if `a` may be a part of `b`.
 * @returns Infinity above the limit.
 */
export function countTypos(a: string, b: string, limit: number, isPart = false): number {
  if (!isPart && Math.abs(a.length - b.length) > limit) return Infinity;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => (isPart ? 0 : j));
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
        isTransposed ? (beforePrevious[j - 2] ?? 0) + 1 : Infinity,
      );
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return Infinity;
    [beforePrevious, previous] = [previous, current];
  }
  const typos = isPart ? Math.min(...previous) : (previous[b.length] ?? Infinity);
  return typos > limit ? Infinity : typos;
}

/** Long words may have two typos, short ones none. */
export function allowedTypos(word: string): number {
  if (/\d/.test(word)) return 0;
  return word.length >= 6 ? 2 : word.length >= 4 ? 1 : 0;
}
