import { baseLanguage } from '#contracts/base-language.ts';
import { toBcp47 } from '#contracts/product/index.ts';

interface NamedLanguage {
  code: string;
  /** As the interface gives it: in the language itself, `français (France)`. */
  name: string;
}

/**
 * Names for the reader to choose from: without the region where no other region of the language is built, and with a
 * capital, for they stand alone.
 */
export function labelLanguages(languages: readonly NamedLanguage[]): NamedLanguage[] {
  const regions = (code: string) => languages.filter((other) => baseLanguage(other.code) === baseLanguage(code)).length;
  return languages.map(({ code, name }) => ({
    code,
    name: capitalize(regions(code) === 1 ? withoutRegion(name) : name, code),
  }));
}

/** `German (Austria)` as `German`. */
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

/** Reads something of a language when it is asked for first. */
export function byLanguage<T>(read: (language: string) => T): (language: string) => T {
  const known = new Map<string, T>();
  return (language) => {
    const found = known.get(language) ?? read(language);
    known.set(language, found);
    return found;
  };
}
