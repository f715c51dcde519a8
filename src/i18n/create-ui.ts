import { TIME_ZONE as timeZone } from '#contracts/index.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { UnitWord } from '#contracts/unit-word.ts';
import type { Dictionaries, PluralKey, StringKey } from './dictionary.ts';

/** More than the numbers and days that most catalogues know, and little enough to keep. */
const MAX_REMEMBERED = 10_000;

const NO_BREAK = '\u00a0';

const KEY = /^unit\.([a-z-]+)\.(\w+)$/;

const known = new WeakMap<Dictionaries, Map<string, ReadonlyMap<string, Forms>>>();

/** Languages written from right to left, by their base; scripts named in a code go before. */
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

type Values = Readonly<Record<string, string | number>>;

/** What a page needs to speak one language. */
export interface Ui {
  /** Code of the page's language, as in its address: `de-de`. */
  language: string;
  /** BCP 47 tag of the language that the texts are really in, for `<html lang>`: `de-DE`. */
  lang: string;
  dir: TextDirection;
  t: (key: StringKey, values?: Values) => string;
  /** The plural form for a number, which the text shows as `{count}`. */
  plural: (key: PluralKey, count: number, values?: Values) => string;
  formats: Formats;
  /** A record's word for a sales unit with its plural, as far as `unit.…` of the texts in its language has it. */
  unit: (word: string, language: string) => UnitWord;
  /** `lang` of a content in another language than the texts around it; undefined (no attribute) if it is the same. */
  langOf: (language: string) => string | undefined;
}

/** The same for all pages of a language: formatters are dear, and a catalogue has thousands of pages. */
export function createUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  const known = made.get(dictionaries) ?? new Map<string, Ui>();
  made.set(dictionaries, known);
  const key = `${language} ${mainLanguage}`;
  const ui = known.get(key) ?? buildUi(dictionaries, language, mainLanguage);
  known.set(key, ui);
  return ui;
}

const made = new WeakMap<Dictionaries, Map<string, Ui>>();

function buildUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  const strings = stringsFor(dictionaries, language, mainLanguage);
  const lang = toBcp47(strings.language);
  const formats = formatsFor(lang);
  const rules = new Intl.PluralRules(lang);
  const text = (key: string) => strings.texts[key];
  return {
    language,
    lang,
    dir: textDirection(lang),
    t: (key, values) => fill(text(key) ?? key, values),
    plural: (key, count, values) =>
      fill(text(`${key}.${rules.select(count)}`) ?? text(`${key}.other`) ?? key, {
        ...values,
        count: formats.count(count),
      }),
    formats,
    unit: (word, code) => ({ word, forms: unitForms(dictionaries, code, word), lang: toBcp47(code) }),
    langOf: (code) => (toBcp47(code) === lang ? undefined : toBcp47(code)),
  };
}

/** Texts in turn with names of values. */
const templates = new Map<string, string[]>();

function fill(text: string, values: Values | undefined): string {
  if (!values) return text;
  const parts = templates.get(text) ?? text.split(/\{(\w+)\}/);
  templates.set(text, parts);
  return parts.map((part, i) => (i % 2 === 0 ? part : (values[part] ?? `{${part}}`))).join('');
}

export type TextDirection = 'ltr' | 'rtl';

export function textDirection(language: string): TextDirection {
  const [base = '', second = ''] = language.toLowerCase().split('-');
  if (second === 'latn' || second === 'cyrl') return 'ltr';
  return RIGHT_TO_LEFT.has(base) || second === 'arab' || second === 'hebr' ? 'rtl' : 'ltr';
}

type Forms = Readonly<Record<string, string>>;

/**
 * Plural forms of a word for a sales unit: the texts `unit.<id>.one`, `unit.<id>.other` of its language. Undefined for
 * a word that is none of them, and for a language that has no texts.
 */
export function unitForms(dictionaries: Dictionaries, language: string, word: string): Forms | undefined {
  const languages = known.get(dictionaries) ?? new Map<string, ReadonlyMap<string, Forms>>();
  known.set(dictionaries, languages);
  const words = languages.get(language) ?? collectWords(dictionaries, language);
  languages.set(language, words);
  return words.get(word.toLowerCase());
}

function collectWords(dictionaries: Dictionaries, language: string): ReadonlyMap<string, Forms> {
  const strings = stringsFor(dictionaries, language, language);
  if (strings.language !== language || !isSpoken(dictionaries, language)) return new Map();
  const units = new Map<string, Record<string, string>>();
  for (const [key, text] of Object.entries(strings.texts)) {
    const [, id, category] = KEY.exec(key) ?? [];
    if (id === undefined || category === undefined) continue;
    units.set(id, { ...units.get(id), [category]: text });
  }
  return new Map([...units.values()].map((forms) => [(forms['one'] ?? forms['other'] ?? '').toLowerCase(), forms]));
}

function isSpoken(dictionaries: Dictionaries, language: string): boolean {
  return language in dictionaries || (language.split('-')[0] ?? '') in dictionaries;
}

export interface Formats {
  /** A decimal text such as `1.50` or `0.575`, its digits kept but for zeros at the end. */
  decimal: (text: string) => string;
  count: (value: number) => string;
  /** Euro, from a text with two decimals: `24.90`. */
  euro: (amount: string) => string;
  percent: (value: number) => string;
  /** `1,5 m`: number and unit don't part at the end of a line. */
  measure: (text: string, unit: string) => string;
  /** `2 pallets and 5 rolls`. */
  list: (parts: readonly string[]) => string;
  /** `312 kB`. */
  bytes: (bytes: number) => string;
  /** `21. November 2026`. */
  date: (date: Date) => string;
  /** `21.11.2026`, `21 Nov 2026`. */
  shortDate: (date: Date) => string;
  /** `November 2026`, of a month written `2026-11`. */
  month: (month: string) => string;
  /** Name of a language, without its region, in the language of the page. */
  languageName: (code: string) => string;
}

/** How a language writes numbers and dates. Only for our own quantities: declared values are shown as they are. */
export function formatsFor(language: string): Formats {
  const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: 'min2' });
  const counts = new Intl.NumberFormat(language);
  const euros = new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const rounded = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  const shortDates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  const months = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const lists = new Intl.ListFormat(language);
  const languages = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' });
  const [kilobyte, megabyte] = [unitName(language, 'kilobyte'), unitName(language, 'megabyte')];
  const decimal = remember((text: string) => decimals.format(exact(text)));
  const date = remember((ms: number) => dates.format(ms));
  const shortDate = remember((ms: number) => shortDates.format(ms));
  return {
    decimal,
    count: remember((value: number) => counts.format(value)),
    euro: remember((amount: string) => euros.format(exact(amount))),
    percent: remember((value: number) => percents.format(value / 100)),
    measure: (text, unit) => `${decimal(text)}${NO_BREAK}${unit}`,
    list: (parts) => lists.format(parts),
    bytes: remember((bytes: number) => {
      const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, kilobyte] : [bytes / 1_000_000, megabyte];
      return `${value < 100 ? rounded.format(value) : counts.format(Math.round(value))}${NO_BREAK}${unit}`;
    }),
    date: (day) => date(day.getTime()),
    shortDate: (day) => shortDate(day.getTime()),
    month: remember((text: string) => months.format(new Date(`${text}-01T00:00:00Z`))),
    languageName: remember((code: string) => languages.of(new Intl.Locale(code).language) ?? code),
  };
}

/** `kB`; `ko` in French. */
function unitName(language: string, unit: 'kilobyte' | 'megabyte'): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(1);
  return parts.find(({ type }) => type === 'unit')?.value ?? '';
}

/** `Intl` formats a text digit by digit, without the detour of a float; its type wants to know that it is a number. */
function exact(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral;
}

/** Formats each value once: thousands of pages say the same numbers and days, and `Intl` is dear. */
function remember<Value extends string | number>(format: (value: Value) => string): (value: Value) => string {
  const known = new Map<Value, string>();
  return (value) => {
    const remembered = known.get(value);
    if (remembered !== undefined) return remembered;
    const text = format(value);
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(value, text);
    return text;
  };
}

export interface Strings {
  /** The language that the texts are in: the one asked for, or the main language when there is no file for it. */
  language: string;
  texts: Readonly<Record<string, string>>;
}

/**
 * Finds the texts of a language: its regional file over the file of the language, over those of the main language.
 * A region may thus override three words and leave the rest to `de.json`.
 */
export function stringsFor(dictionaries: Dictionaries, language: string, mainLanguage: string): Strings {
  const candidates = [language, mainLanguage, 'en'];
  const spoken = candidates.find((code) => code in dictionaries || baseOf(code) in dictionaries) ?? mainLanguage;
  const chain = [...new Set(candidates.flatMap((code) => [code, baseOf(code)]))];
  return { language: spoken, texts: Object.assign({}, ...chain.toReversed().map((id) => dictionaries[id] ?? {})) };
}

function baseOf(language: string): string {
  return language.split('-')[0] ?? language;
}
