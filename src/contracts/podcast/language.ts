import { z } from 'zod';
import languages from './languages.json' with { type: 'json' };

/** Language -> its name and the countries that distinguish its variants. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = languages;

/** Languages that are only selectable with a country. */
const WITH_COUNTRY_ONLY: ReadonlySet<string> = new Set(['zh', 'nb', 'nn', 'sr']);

const SCRIPTS: Readonly<Record<string, string>> = {
  Cyrl: 'Cyrillic',
  Latn: 'Latin',
  CHS: 'Simplified',
  CHT: 'Traditional',
};

/** Codes of this interface that are not country codes. */
const COUNTRIES: Readonly<Record<string, string>> = {
  CB: 'Caribbean',
  SP: 'Serbia',
  HK: 'Hong Kong SAR',
  MO: 'Macau SAR',
};
type Parts = readonly [language: string, country?: string];

/** Code -> language and, for a regional variant, country. */
const PARTS: ReadonlyMap<string, Parts> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, [name = '', countries]]): [string, Parts][] => [
    ...(WITH_COUNTRY_ONLY.has(language) ? [] : [[language, [name]] satisfies [string, Parts]]),
    ...(countries?.split(' ') ?? []).map((country): [string, Parts] => [`${language}-${country}`, [name, country]]),
  ]),
);

/** Language code in requests. */
export const podcastLanguage = z.enum([...PARTS.keys()]);

/** Formats a language for responses: `German - Switzerland`, empty for none. */
export function displayLanguage(code: string | undefined): string {
  const parts = PARTS.get(code ?? '');
  return parts === undefined ? '' : nameOf(...parts);
}

/** Returns the code of a formatted language; undefined for an empty or unknown one. */
export function parseDisplayLanguage(display: string): string | undefined {
  return [...PARTS.keys()].find((code) => displayLanguage(code) === display);
}

/** Created on first use, because loading the names is slow. */
let countryNames: Intl.DisplayNames | undefined;

function nameOf(language: string, part?: string): string {
  if (part === undefined) return language;
  const [country = '', script = country] = part.split('-');
  const scripted = script in SCRIPTS ? `${language} (${SCRIPTS[script]})` : language;
  if (country in SCRIPTS) return scripted;
  countryNames ??= new Intl.DisplayNames('en', { type: 'region' });
  return `${scripted} - ${COUNTRIES[country] ?? countryNames.of(country)}`;
}
