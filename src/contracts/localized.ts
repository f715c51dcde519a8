import { baseLanguage } from './base-language.ts';

/** Picks the text for a language: exact match, language without region, then the main language likewise. */
export function pickLocalized<T>(
  texts: Readonly<Record<string, T>>,
  language: string,
  mainLanguage: string,
): T | undefined {
  const key = [language, baseLanguage(language), mainLanguage, baseLanguage(mainLanguage)].find((code) => texts[code]);
  return key === undefined ? undefined : texts[key];
}
