import { ADVICE_LANGUAGES, type AdviceLanguage } from '#analysis/types.ts';
import english from './english.json' with { type: 'json' };
import french from './french.json' with { type: 'json' };
import german from './german.json' with { type: 'json' };

/** Texts of the editors' pages, with placeholders in braces. */
export type EditorTexts = Readonly<Record<keyof typeof english | keyof typeof french | keyof typeof german, string>>;

export const EDITOR_TEXTS: Readonly<Record<AdviceLanguage, EditorTexts>> = { de: german, en: english, fr: french };

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
