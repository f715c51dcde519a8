import { z } from 'zod';

/** Language -> its name and the countries that distinguish its variants. */
const LANGUAGES: Readonly<Record<string, readonly [name: string, countries?: string]>> = {
  af: ['Afrikaans', 'ZA'],
  sq: ['Albanian', 'AL'],
  ar: ['Arabic', 'DZ BH EG IQ JO KW LB LY MA OM QA SA SY TN AE YE'],
  hy: ['Armenian', 'AM'],
  az: ['Azeri', 'AZ-Cyrl AZ-Latn'],
  eu: ['Basque', 'ES'],
  be: ['Belarusian', 'BY'],
  bg: ['Bulgarian', 'BG'],
  ca: ['Catalan', 'ES'],
  zh: ['Chinese', 'CHS CHT CN HK MO SG TW'],
  hr: ['Croatian', 'HR'],
  cs: ['Czech', 'CZ'],
  da: ['Danish', 'DK'],
  div: ['Dhivehi', 'MV'],
  nl: ['Dutch', 'BE NL'],
  en: ['English', 'AU BZ CA CB IE JM NZ PH ZA TT GB US ZW'],
  eo: ['Esperanto'],
  et: ['Estonian', 'EE'],
  fo: ['Faroese', 'FO'],
  fa: ['Farsi', 'IR'],
  fi: ['Finnish', 'FI'],
  fr: ['French', 'BE CA FR LU MC CH'],
  gl: ['Galician', 'ES'],
  ka: ['Georgian', 'GE'],
  de: ['German', 'AT DE LI LU CH'],
  el: ['Greek', 'GR'],
  gu: ['Gujarati', 'IN'],
  he: ['Hebrew', 'IL'],
  hi: ['Hindi', 'IN'],
  hu: ['Hungarian', 'HU'],
  is: ['Icelandic', 'IS'],
  id: ['Indonesian', 'ID'],
  it: ['Italian', 'IT CH'],
  ja: ['Japanese', 'JP'],
  kn: ['Kannada', 'IN'],
  kk: ['Kazakh', 'KZ'],
  kok: ['Konkani', 'IN'],
  ko: ['Korean', 'KR'],
  ky: ['Kyrgyz', 'KG'],
  lv: ['Latvian', 'LV'],
  lt: ['Lithuanian', 'LT'],
  lb: ['Luxembourgish'],
  mk: ['Macedonian', 'MK'],
  ms: ['Malay', 'BN MY'],
  mr: ['Marathi', 'IN'],
  mn: ['Mongolian', 'MN'],
  no: ['Norwegian'],
  nb: ['Norwegian (Bokmål)', 'NO'],
  nn: ['Norwegian (Nynorsk)', 'NO'],
  pl: ['Polish', 'PL'],
  pt: ['Portuguese', 'BR PT'],
  pa: ['Punjabi', 'IN'],
  ro: ['Romanian', 'RO'],
  ru: ['Russian', 'RU'],
  sa: ['Sanskrit', 'IN'],
  sr: ['Serbian', 'SP-Cyrl SP-Latn'],
  sk: ['Slovak', 'SK'],
  sl: ['Slovenian', 'SI'],
  es: ['Spanish', 'AR BO CL CO CR DO EC SV GT HN MX NI PA PY PE PR ES UY VE'],
  sw: ['Swahili', 'KE'],
  sv: ['Swedish', 'FI SE'],
  syr: ['Syriac', 'SY'],
  ta: ['Tamil', 'IN'],
  tt: ['Tatar', 'RU'],
  te: ['Telugu', 'IN'],
  th: ['Thai', 'TH'],
  tr: ['Turkish', 'TR'],
  uk: ['Ukrainian', 'UA'],
  ur: ['Urdu', 'PK'],
  uz: ['Uzbek', 'UZ-Cyrl UZ-Latn'],
  vi: ['Vietnamese'],
};

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
  Object.entries(LANGUAGES).flatMap(([language, [name, countries]]): [string, Parts][] => [
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
