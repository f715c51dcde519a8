import { baseLanguage } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';

export interface Language {
  code: string;
  /** Endonym from the product interface, `français (France)`. */
  name: string;
}

/** Returns language names for a selection. They are capitalised, and omit the region if the language has only one. */
export function labelLanguages(languages: readonly Language[]): Language[] {
  const regions = (code: string) => languages.filter((other) => baseLanguage(other.code) === baseLanguage(code)).length;
  return languages.map(({ code, name }) => ({
    code,
    name: capitalize(regions(code) === 1 ? withoutRegion(name) : name, code),
  }));
}

/** Removes the region: `German (Austria)` -> `German`. */
function withoutRegion(name: string): string {
  const start = name.lastIndexOf('(');
  const isRegion = start >= 0 && name.indexOf(')', start) === name.length - 1;
  return isRegion ? name.slice(0, start).trimEnd() : name;
}

function capitalize(name: string, code: string): string {
  const [first = ''] = name;
  return first.toLocaleUpperCase(toBcp47(code)) + name.slice(first.length);
}

export interface LanguageChoice {
  code: string;
  /** Endonym of the language. */
  name: string;
  path: string;
  /** False if the path is the nearest page because there is no translation. */
  translated: boolean;
  /** True if the page is an `hreflang` alternate. */
  alternate: boolean;
  current: boolean;
}

/**
 * Returns the choices of a language selection: the translation of a page, or the nearest list, which is marked as such.
 * @param paths Paths of the page's translations by language, including the page itself.
 * @param translations Languages with a real translation, if a path alone isn't enough.
 * @param alternates Languages that are `hreflang` alternates. @default translations
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
