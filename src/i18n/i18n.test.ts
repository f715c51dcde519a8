import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUi, dictionary, resolveStrings, textDirection, type Dictionaries } from './index.ts';
import { findDictionaryGaps, REFERENCE_LANGUAGE } from './strings-loader.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../content/strings');

const dictionaries: Dictionaries = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [
    path.basename(file, '.json'),
    dictionary.parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))),
  ]),
);
const reference = dictionaries[REFERENCE_LANGUAGE] ?? {};

/** Languages differ in their plural forms; what they share is the key and `other`. */
const withoutPluralForm = (key: string) => key.replace(/\.(zero|one|two|few|many|other)$/, '');
const isPluralForm = (key: string) => withoutPluralForm(key) !== key && `${withoutPluralForm(key)}.one` in reference;
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

describe('content/strings', () => {
  const whole = Object.keys(dictionaries).filter((id) => !id.includes('-'));

  it('has every key in each language, and no other', () => {
    expect(whole).toContain(REFERENCE_LANGUAGE);
    expect(findDictionaryGaps(dictionaries)).toEqual([]);
  });

  it.each(whole)('%s has the plural forms of its numbers, the general one, and no others', (id) => {
    const rules = new Intl.PluralRules(id);
    const needed = new Set(['other', ...Array.from({ length: 1000 }, (_, count) => rules.select(count))]);
    const possible = new Set<string>(rules.resolvedOptions().pluralCategories);
    const forms = Object.groupBy(Object.keys(dictionaries[id] ?? {}).filter(isPluralForm), withoutPluralForm);
    const wrong = Object.entries(forms).filter(([key, keys = []]) => {
      const categories = new Set(keys.map((form) => form.slice(key.length + 1)));
      return !needed.isSubsetOf(categories) || !categories.isSubsetOf(possible);
    });
    expect(wrong).toEqual([]);
  });

  it.each(whole)('%s has typographic quotes and apostrophes', (id) => {
    expect(Object.entries(dictionaries[id] ?? {}).filter(([, text]) => /['"]/.test(text))).toEqual([]);
  });

  it.each(Object.keys(dictionaries))('%s fills in the same values', (id) => {
    const differing = Object.entries(dictionaries[id] ?? {}).filter(([key, text]) => {
      const own = reference[key] ?? reference[`${withoutPluralForm(key)}.other`] ?? '';
      return String(placeholders(text)) !== String(placeholders(own));
    });
    expect(differing).toEqual([]);
  });
});

describe('stringsFor', () => {
  const small: Dictionaries = {
    de: { a: 'Januar', b: 'Dose' },
    'de-at': { a: 'Jänner' },
    en: { a: 'January', b: 'Can' },
  };

  it('puts the region over the language over the main language', () => {
    expect(resolveStrings(small, 'de-at', 'en-gb')).toEqual({ language: 'de-at', texts: { a: 'Jänner', b: 'Dose' } });
    expect(resolveStrings(small, 'de-de', 'en-gb')).toEqual({ language: 'de-de', texts: { a: 'Januar', b: 'Dose' } });
  });

  it('speaks the main language where there is no file, and says so', () => {
    expect(resolveStrings(small, 'it-it', 'en-gb')).toEqual({ language: 'en-gb', texts: { a: 'January', b: 'Can' } });
  });
});

describe('createUi', () => {
  const german = createUi(dictionaries, 'de-de', 'de-de');
  const english = createUi(dictionaries, 'en-gb', 'de-de');

  it('fills in values and chooses the plural form', () => {
    expect(german.t('list.position', { number: 2, total: 3 })).toBe('Seite 2 von 3');
    expect(german.plural('products.count', 1)).toBe('1 Produkt');
    expect(german.plural('products.count', 4000)).toBe('4.000 Produkte');
    const italian = createUi(dictionaries, 'it-it', 'de-de');
    expect([1, 2, 1_000_000].map((count) => italian.plural('products.count', count))).toEqual([
      '1 prodotto',
      '2 prodotti',
      '1.000.000 prodotti',
    ]);
  });

  it('marks content in another language than the texts around it', () => {
    expect(german.langOf('de-de')).toBeUndefined();
    expect(german.langOf('en-gb')).toBe('en-GB');
  });

  it('builds a language without a file in the main language', () => {
    const finnish = createUi(dictionaries, 'fi-fi', 'de-de');
    expect([finnish.language, finnish.lang, finnish.t('nav.products')]).toEqual(['fi-fi', 'de-DE', 'Produkte']);
    expect(finnish.langOf('fi-fi')).toBe('fi-FI');
  });

  it('names a kind of documents by its key where no language has a label', () => {
    const { fieldLabel } = createUi(dictionaries, 'de-de', 'de-de');
    expect([fieldLabel('datasheet'), fieldLabel('test_report')]).toEqual(['Datenblatt', 'test_report']);
  });

  it('is made once for each language', () => {
    expect(createUi(dictionaries, 'de-de', 'de-de')).toBe(german);
  });

  it('writes quantities as the language does, digit by digit', () => {
    expect(german.formats.measure('0.1234567890123456789', 'm')).toBe('0,1234567890123456789\u00a0m');
    expect(english.formats.measure('1220', 'mm')).toBe('1220\u00a0mm');
    expect(german.formats.price('24.90', 'EUR')).toBe('24,90\u00a0€');
    expect(english.formats.price('1249.90', 'EUR')).toBe('€1,249.90');
    expect(createUi(dictionaries, 'de-ch', 'de-de').formats.price('24.90', 'CHF')).toBe('CHF\u00a024.90');
    expect(english.formats.price('1249.90', 'JPY')).toBe('JP¥1,249.90');
    expect(english.formats.price('24.90', 'KWD')).toBe('KWD\u00a024.90');
    expect(german.formats.percent(5.5)).toBe('5,5\u00a0%');
    expect(german.formats.bytes(48_300)).toBe('48\u00a0kB');
    expect(german.formats.bytes(312_000)).toBe('312\u00a0kB');
    expect(german.formats.bytes(1_940_000)).toBe('1,9\u00a0MB');
    expect(english.formats.bytes(48_300)).toBe('48\u00a0kB');
    const french = createUi(dictionaries, 'fr-fr', 'de-de');
    expect([48_300, 1_940_000].map(french.formats.bytes)).toEqual(['48\u00a0ko', '1,9\u00a0Mo']);
    expect(english.formats.date(new Date('2026-11-21T23:30:00Z'))).toBe('22 November 2026');
    expect(german.formats.languageName('fr-fr')).toBe('Französisch');
  });
});

describe('textDirection', () => {
  it('knows the languages written from the right, and scripts that say otherwise', () => {
    expect(['ar-ae', 'he-il', 'fa', 'az-arab'].map(textDirection)).toEqual(Array(4).fill('rtl'));
    expect(['de-de', 'ur-latn'].map(textDirection)).toEqual(Array(2).fill('ltr'));
  });
});
