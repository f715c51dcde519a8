/** Picks the text for a language: exact match, language without region, then the main language likewise. */
export function pickLocalized<T>(
  texts: Readonly<Record<string, T>>,
  language: string,
  mainLanguage: string,
): T | undefined {
  const key = [language, baseLanguage(language), mainLanguage, baseLanguage(mainLanguage)].find((code) => texts[code]);
  return key === undefined ? undefined : texts[key];
}

/** Returns the text for a language, if it isn't the same for all. */
export function pickText(
  texts: string | Readonly<Record<string, string>>,
  language: string,
  mainLanguage: string,
): string | undefined {
  return typeof texts === 'string' ? texts : pickLocalized(texts, language, mainLanguage);
}

/** Returns the language without its region: `de-at` -> `de`. */
export function baseLanguage(code: string): string {
  return code.split('-')[0] ?? code;
}

/** Name of a sales unit from the record, with its plural forms if known. */
export interface UnitName {
  word: string;
  /** Forms by category of `Intl.PluralRules`; `other` is the default. */
  forms?: Readonly<Record<string, string>> | undefined;
  /** Language of the word, BCP 47. */
  lang: string;
}
