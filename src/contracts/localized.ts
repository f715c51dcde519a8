/** Picks the text for a language: exact match, language without region, then the main language likewise. */
export function pickLocalized<T>(
  texts: Readonly<Record<string, T>>,
  language: string,
  mainLanguage: string,
): T | undefined {
  const key = [language, baseLanguage(language), mainLanguage, baseLanguage(mainLanguage)].find((code) => texts[code]);
  return key === undefined ? undefined : texts[key];
}

/** Returns the language without its region: `de-at` -> `de`. */
export function baseLanguage(code: string): string {
  return code.split('-')[0] ?? code;
}
