import { expect, it } from 'vitest';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { measureTranslations } from './measure-translations.ts';

const [FIRST, SECOND] = ['9524010000016', '9524010000023'];
const EMPTY = Object.fromEntries(
  Object.entries(createProduct()).map(([field, value]) => [field, Array.isArray(value) ? [] : value && '']),
);

/** A row with only a name and what a test says. */
const row = (gtin: string, language: string, fields: Record<string, unknown> = {}) => ({
  gtin,
  language,
  record: createProduct({
    ...EMPTY,
    gtin,
    name: `Band ${gtin.slice(-4)}`,
    language,
    availability: 'available',
    ...fields,
  }),
});

const measure = (...rows: ReturnType<typeof row>[]) =>
  measureTranslations(rows, { mainLanguage: 'de-de', languages: ['de-de', 'en-gb', 'fr-fr'] });

it('measures every language by the main one, field by field', () => {
  const report = measure(
    row(FIRST, 'de-de', { intro: 'Klebt', advantages: '<ul><li>gut</li></ul>', price: 7 }),
    row(FIRST, 'en-gb', { intro: 'Sticks', advantages: '<ul><li> </li></ul>' }),
    row(FIRST, 'fr-fr', { intro: 'Klebt', language: 'de-de' }),
    row(SECOND, 'de-de', { intro: 'Dichtet' }),
    row(SECOND, 'en-gb', { substrate: '<p>Wood</p>' }),
  );
  expect(report).toMatchObject({ products: 2, languages: ['en-gb', 'fr-fr'], translated: { 'en-gb': 2, 'fr-fr': 0 } });
  expect(report.fields).toEqual([
    { field: 'name', inMain: 2, filled: { 'en-gb': 2, 'fr-fr': 0 } },
    { field: 'intro', inMain: 2, filled: { 'en-gb': 1, 'fr-fr': 0 } },
    { field: 'advantages', inMain: 1, filled: { 'en-gb': 0, 'fr-fr': 0 } },
  ]);
});

it('lists what is missing, the worst first; another language is no translation', () => {
  const report = measure(
    row(FIRST, 'de-de', { intro: 'Klebt', application: '<p>Dach</p>' }),
    row(FIRST, 'en-gb', { intro: 'Sticks', application: '<p></p>' }),
    row(FIRST, 'fr-fr', { intro: 'Colle', application: '<p>Toit</p>' }),
    row(SECOND, 'de-de'),
    row(SECOND, 'en-gb', { language: 'de-de' }),
    row(SECOND, 'fr-fr'),
  );
  expect(report.gaps).toEqual([
    { gtin: SECOND, name: 'Band 0023', language: 'en-gb', state: 'untranslated', missing: ['name'] },
    { gtin: FIRST, name: 'Band 0016', language: 'en-gb', state: 'incomplete', missing: ['application'] },
  ]);
});

it('keeps a bounded list of gaps and counts them all', () => {
  const rows = Array.from({ length: 700 }, (_, i) => row(String(i).padStart(13, '0'), 'de-de'));
  const report = measure(...rows);
  expect(report.gaps).toHaveLength(1000);
  expect(report.gapCount).toBe(1400);
});
