import { baseLanguage } from '#contracts/localized.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import type { LanguageRules } from './language-rules.ts';

export { containsPhrase, removeAccents, type LanguageRules } from './language-rules.ts';

const RULES: ReadonlyMap<string, LanguageRules> = new Map([
  ['de', GERMAN],
  ['en', ENGLISH],
  ['fr', FRENCH],
]);

/** Returns the rules of a language code, with or without a region; undefined if there are none. */
export function languageRules(language: string): LanguageRules | undefined {
  return RULES.get(baseLanguageCode(language));
}

/** Sentences with more words than this are long. */
const LONG_SENTENCES: ReadonlyMap<string, number> = new Map([
  ...['ca', 'es', 'fa', 'it', 'pt'].map((language) => [language, 25] as const),
  ...['he', 'ru', 'tr'].map((language) => [language, 15] as const),
]);

export function maxSentenceWords(language: string): number {
  return LONG_SENTENCES.get(baseLanguageCode(language)) ?? 20;
}

/** `de_AT`, `de-AT`, `DE` -> `de`. */
export function baseLanguageCode(language: string): string {
  return baseLanguage(language.replaceAll('_', '-').toLowerCase());
}

/** Characters that suffice to recognise a language. */
const SAMPLE = 20_000;
const LEAST_FUNCTION_WORDS = 3;

/** Guesses the language of a text by its function words; undefined if there are too few. */
export function guessLanguage(text: string): string | undefined {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = [...RULES].map(([language, { functionWords }]): [string, number] => [
    language,
    words.filter((word) => functionWords.has(word)).length,
  ]);
  const [best] = counts.toSorted(([, a], [, b]) => b - a);
  return best && best[1] >= LEAST_FUNCTION_WORDS ? best[0] : undefined;
}
