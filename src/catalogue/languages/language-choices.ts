export interface LanguageChoice {
  code: string;
  /** In the language itself. */
  name: string;
  path: string;
  /** False when there is no translation and the path leads to the nearest page in that language. */
  translated: boolean;
  /** Whether search engines may offer it instead, and be offered this page instead of it. */
  alternate: boolean;
  current: boolean;
}

/**
 * Where each language leads from here: to the same thing, or, said openly, to the nearest list.
 * @param paths Language -> path of the same thing, the page itself included.
 * @param translations Languages in which the thing really exists, when a path alone doesn't say so.
 * @param alternates Those of them that are of equal worth; all, unless given.
 */
export function languageChoices(
  languages: readonly { code: string; name: string }[],
  current: string,
  paths: Readonly<Record<string, string | undefined>>,
  nearest: (language: string) => string,
  translations: readonly string[] = Object.keys(paths),
  alternates: readonly string[] = translations,
): LanguageChoice[] {
  return languages.map(({ code, name }) => {
    const exists = paths[code] !== undefined;
    return {
      code,
      name,
      path: paths[code] ?? nearest(code),
      translated: exists && translations.includes(code),
      alternate: exists && alternates.includes(code),
      current: code === current,
    };
  });
}
