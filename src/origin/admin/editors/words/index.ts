import { ADVICE_LANGUAGES, type AdviceLanguage } from '#analysis/index.ts';
import { ENGLISH_WORDS, type EditorWords } from './english.ts';
import { FRENCH_WORDS } from './french.ts';
import { GERMAN_WORDS } from './german.ts';

export type { EditorWords } from './english.ts';

export const EDITOR_WORDS: Readonly<Record<AdviceLanguage, EditorWords>> = {
  de: GERMAN_WORDS,
  en: ENGLISH_WORDS,
  fr: FRENCH_WORDS,
};

/** Chooses the language of the pages: the account's, then the browser's, then German as on account pages. */
export function chooseLanguage(locale: string | null, acceptLanguage: string | undefined): AdviceLanguage {
  const requested = [locale ?? '', ...(acceptLanguage ?? '').slice(0, 200).split(',')].map((tag) =>
    tag.trim().slice(0, 2).toLowerCase(),
  );
  const chosen = requested.find((code) => ADVICE_LANGUAGES.some((language) => language === code));
  return ADVICE_LANGUAGES.find((language) => language === chosen) ?? 'de';
}

/** Fills the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}
