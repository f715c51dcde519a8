import { ADVICE_LANGUAGES, type AdviceLanguage } from '#analysis/types.ts';
import { ENGLISH_EDITOR_TEXTS, type EditorTexts } from './english.ts';
import { FRENCH_EDITOR_TEXTS } from './french.ts';
import { GERMAN_EDITOR_TEXTS } from './german.ts';

export type { EditorTexts } from './english.ts';

export const EDITOR_TEXTS: Readonly<Record<AdviceLanguage, EditorTexts>> = {
  de: GERMAN_EDITOR_TEXTS,
  en: ENGLISH_EDITOR_TEXTS,
  fr: FRENCH_EDITOR_TEXTS,
};

/** Chooses the language of the pages: the account's, then the browser's, then German as on account pages. */
export function chooseEditorLanguage(locale: string | null, acceptLanguage: string | undefined): AdviceLanguage {
  const requested = [locale ?? '', ...(acceptLanguage ?? '').slice(0, 200).split(',')].map((tag) =>
    tag.trim().slice(0, 2).toLowerCase(),
  );
  const chosen = requested.find((code) => ADVICE_LANGUAGES.some((language) => language === code));
  return ADVICE_LANGUAGES.find((language) => language === chosen) ?? 'de';
}

/** Fills the placeholders of a text. */
export function interpolate(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}
