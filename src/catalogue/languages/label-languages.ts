import { toBcp47 } from '#contracts/product/index.ts';
import { baseLanguage } from '#contracts/base-language.ts';

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
