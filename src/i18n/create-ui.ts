import { markBorrowed } from '#contracts/borrowed-text.ts';
import { TIME_ZONE as timeZone } from '#contracts/index.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { baseLanguage, type UnitName } from '#contracts/localized.ts';
import { z } from 'zod';
import { textDirection } from './text-direction.ts';
import type german from '../../content/strings/de.json';

/** Start of a text that is still in another language: `[de] `. */
const UNTRANSLATED = /^\[[a-z]{2,3}\] /;

/** Marks a text to translate, so that it counts as missing. @param language Base code of the language that it is in. */
export const markUntranslated = (text: string, language: string): string => `[${language}] ${text}`;

/**
 * A file of `content/strings/`: flat keys, texts with `{placeholders}`, plural forms as `<key>.one`, `<key>.other`, …
 * Leaves out the texts that are marked as untranslated.
 */
export const dictionary = z
  .record(z.string(), z.string().min(1, { error: 'is empty' }))
  .transform((texts) => Object.fromEntries(Object.entries(texts).filter(([, text]) => !UNTRANSLATED.test(text))));

/** Texts by id of the collection `strings`, which is the file name: `de`, `en`, `de-at`. */
export type Dictionaries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Keys of the German reference; a test compares the other files with it. */
export type StringKey = keyof typeof german;

/** A key with plural forms, without the plural suffix. */
export type PluralKey = StringKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never;

/** Maximum number of cached texts per formatter; exceeds the distinct numbers and dates of most catalogues. */
const MAX_CACHED = 10_000;

const NO_BREAK = '\u00a0';

const UNIT_KEY = /^unit\.([a-z-]+)\.(\w+)$/;

type Values = Readonly<Record<string, string | number>>;

/**
 * Returns the cached texts and formats of a language. Formatters are expensive to create, and a catalogue has thousands
 * of pages.
 */
export function createUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  return cachedUi(dictionaries, language, mainLanguage, (text) => text);
}

/** As `createUi`, for HTML in `Typeset`, which labels the texts in another language. */
export function createPageUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  return cachedUi(dictionaries, language, mainLanguage, markBorrowed);
}

type Mark = (text: string, lang: string) => string;

function cachedUi(dictionaries: Dictionaries, language: string, mainLanguage: string, mark: Mark): Ui {
  const key = `${language} ${mainLanguage} ${mark === markBorrowed}`;
  return cached(uis, dictionaries, key, () => buildUi(dictionaries, language, mainLanguage, mark));
}

type Caches<Value> = WeakMap<Dictionaries, Map<string, Value>>;
const uis: Caches<Ui> = new WeakMap();
const unitWords: Caches<ReadonlyMap<string, Forms>> = new WeakMap();

function cached<Value>(caches: Caches<Value>, dictionaries: Dictionaries, key: string, create: () => Value): Value {
  const cache = caches.get(dictionaries) ?? new Map<string, Value>();
  caches.set(dictionaries, cache);
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}

/** Texts and formats of one language. */
export type Ui = ReturnType<typeof buildUi>;

function buildUi(dictionaries: Dictionaries, language: string, mainLanguage: string, mark: Mark) {
  const strings = resolveStrings(dictionaries, language, mainLanguage);
  const lang = toBcp47(strings.language);
  const formats = createFormats(lang);
  const rules = new Intl.PluralRules(lang);
  const hasText = (code: string, key: string) => [code, baseLanguage(code)].some((id) => dictionaries[id]?.[key]);
  const borrowed = new Set(Object.keys(strings.texts).filter((key) => !hasText(strings.language, key)));
  const text = (key: string, values?: Values) => {
    const filled = fill(strings.texts[key] ?? key, values);
    return borrowed.has(key) ? mark(filled, hasText(mainLanguage, key) ? toBcp47(mainLanguage) : 'en') : filled;
  };
  const dir = textDirection(lang);
  return {
    /** Language code of the page, as in its URL: `de-de`. */
    language,
    /** BCP 47 tag of the actual language of the texts, for `<html lang>`: `de-DE`. */
    lang,
    dir,
    /** True if some texts are in another language, or some languages have another direction. */
    isMixed: borrowed.size > 0 || Object.keys(dictionaries).some((id) => textDirection(id) !== dir),
    t: (key: StringKey, values?: Values): string => text(key, values),
    /** Returns the plural form for a number, which replaces `{count}`. */
    plural: (key: PluralKey, count: number, values?: Values): string => {
      const forms = [`${key}.${rules.select(count)}`, `${key}.other`].filter((form) => form in strings.texts);
      const form = forms.find((name) => !borrowed.has(name)) ?? forms[0] ?? key;
      return text(form, { ...values, count: formats.count(count) });
    },
    formats,
    /** Returns the label of a field or a kind of documents: `datasheet` -> `Datenblatt`. */
    fieldLabel: (key: string): string => (`field.${key}` in strings.texts ? text(`field.${key}`) : key),
    /** Returns the name of a sales unit with its plural forms from the `unit.…` texts of the language. */
    unit: (word: string, code: string): UnitName => {
      const words = cached(unitWords, dictionaries, code, () => collectWords(dictionaries, code));
      return { word, forms: words.get(word.toLowerCase()), lang: toBcp47(code) };
    },
    /** Returns the `lang` of content in another language; undefined (no attribute) if it is the same. */
    langOf: (code: string): string | undefined => (toBcp47(code) === lang ? undefined : toBcp47(code)),
  };
}

function fill(text: string, values: Values | undefined): string {
  if (!values) return text;
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

type Forms = Readonly<Record<string, string>>;

/** Collects the texts `unit.<id>.one`, `unit.<id>.other` of a language by the word. Empty for a language without texts. */
function collectWords(dictionaries: Dictionaries, language: string): ReadonlyMap<string, Forms> {
  const strings = resolveStrings(dictionaries, language, language);
  if (strings.language !== language) return new Map();
  const units = new Map<string, Record<string, string>>();
  for (const [key, text] of Object.entries(strings.texts)) {
    const [, id, category] = UNIT_KEY.exec(key) ?? [];
    if (id === undefined || category === undefined) continue;
    units.set(id, { ...units.get(id), [category]: text });
  }
  return new Map([...units.values()].map((forms) => [(forms['one'] ?? forms['other'] ?? '').toLowerCase(), forms]));
}

export type Formats = ReturnType<typeof createFormats>;

/** Creates the formatters of a language. They are for computed quantities; declared values are shown unchanged. */
export function createFormats(language: string) {
  const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: 'min2' });
  const counts = new Intl.NumberFormat(language);
  const prices = memoize((currency: string) => {
    const amounts = new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits: 2 });
    return memoize((amount: string) => amounts.format(exact(amount)));
  });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const rounded = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  const shortDates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  const months = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const lists = new Intl.ListFormat(language);
  const languages = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' });
  const [kilobyte, megabyte] = [unitName(language, 'kilobyte'), unitName(language, 'megabyte')];
  const decimal = memoize((text: string) => decimals.format(exact(text)));
  const date = memoize((ms: number) => dates.format(ms));
  const shortDate = memoize((ms: number) => shortDates.format(ms));
  return {
    /** Formats a decimal text such as `1.50` or `0.575` with all digits, except for trailing zeros. */
    decimal,
    count: memoize((value: number) => counts.format(value)),
    /** Formats a price from a text with two decimals, `24.90`, and an ISO 4217 code. */
    price: (amount: string, currency: string) => prices(currency)(amount),
    percent: memoize((value: number) => percents.format(value / 100)),
    /** `1,5 m`: number and unit, joined by a no-break space. */
    measure: (text: string, unit: string) => `${decimal(text)}${NO_BREAK}${unit}`,
    /** `2 pallets and 5 rolls`. */
    list: (parts: readonly string[]) => lists.format(parts),
    /** `312 kB`. */
    bytes: memoize((bytes: number) => {
      const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, kilobyte] : [bytes / 1_000_000, megabyte];
      return `${value < 100 ? rounded.format(value) : counts.format(Math.round(value))}${NO_BREAK}${unit}`;
    }),
    /** `21. November 2026`. */
    date: (day: Date) => date(day.getTime()),
    /** `21.11.2026`, `21 Nov 2026`. */
    shortDate: (day: Date) => shortDate(day.getTime()),
    /** `November 2026`, of a month written `2026-11`. */
    month: memoize((text: string) => months.format(new Date(`${text}-01T00:00:00Z`))),
    /** Name of a language, without its region, in the language of the page. */
    languageName: memoize((code: string) => languages.of(new Intl.Locale(code).language) ?? code),
  };
}

/** `kB`; `ko` in French. */
function unitName(language: string, unit: 'kilobyte' | 'megabyte'): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(1);
  return parts.find(({ type }) => type === 'unit')?.value ?? '';
}

/** Casts a decimal text for `Intl`, which formats it digit by digit without converting it to a float. */
function exact(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral;
}

/** Caches formatted values, because thousands of pages show the same numbers and dates and `Intl` is slow. */
function memoize<Value extends string | number, Result>(create: (value: Value) => Result): (value: Value) => Result {
  const cache = new Map<Value, Result>();
  return (value) => {
    const cached = cache.get(value);
    if (cached !== undefined) return cached;
    const result = create(value);
    if (cache.size === MAX_CACHED) cache.clear();
    cache.set(value, result);
    return result;
  };
}

export interface Strings {
  /** Language of the texts: the requested one, or the main language if it has no file. */
  language: string;
  texts: Readonly<Record<string, string>>;
}

/**
 * Merges the texts of a language: its regional file over the file of the language, over those of the main language. A
 * region may thus override a few texts and inherit the rest from `de.json`.
 */
export function resolveStrings(dictionaries: Dictionaries, language: string, mainLanguage: string): Strings {
  const candidates = [language, mainLanguage, 'en'];
  const available =
    candidates.find((code) => code in dictionaries || baseLanguage(code) in dictionaries) ?? mainLanguage;
  const chain = [...new Set(candidates.flatMap((code) => [code, baseLanguage(code)]))];
  return { language: available, texts: Object.assign({}, ...chain.toReversed().map((id) => dictionaries[id] ?? {})) };
}
