import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUi } from '#i18n/index.ts';
import { changeTexts } from './change-texts.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../content/strings');
const dictionaries = Object.fromEntries(
  ['de', 'en', 'fr'].map((id) => [
    id,
    JSON.parse(readFileSync(path.join(FOLDER, `${id}.json`), 'utf8')) as Record<string, string>,
  ]),
);
const wordsIn = (language: string) =>
  changeTexts(createUi(dictionaries, language, language), {
    site: { name: 'Haldenwerk' },
    product: { fields: { roll_weight: { label: { de: 'Rollengewicht' } } } },
    mainLanguage: language,
  });

const PRODUCT = {
  kind: 'product',
  change: 'changed',
  gtin: '9524010000016',
  language: 'de-de',
  title: 'DIFFRANA Vario 75',
  fields: ['availability', 'price', 'intro', 'packaging_unit', 'packaging_unit_quantity'],
  availability: { before: 'limited', after: 'available' },
  price: { before: null, after: '149.90', tax: 'net', currency: 'EUR' },
} as const;

describe('changes in the language of the site', () => {
  it.each([
    ['de-de', 'Haldenwerk: Änderungen', ['1 Änderung', '2 Änderungen und weitere', 'Keine sichtbare Änderung']],
    ['en-gb', 'Haldenwerk: changes', ['1 change', '2 changes and more', 'No visible change']],
    [
      'fr-fr',
      'Haldenwerk\u00a0: modifications',
      ['1 modification', '2 modifications et d’autres', 'Aucune modification visible'],
    ],
  ])('are counted in %s', (language, title, [one, more, none]) => {
    const words = wordsIn(language);
    expect([words.title, words.run(1, true), words.run(2, false), words.run(0, true)]).toEqual([
      title,
      one,
      more,
      none,
    ]);
  });

  it.each([
    [
      'de-de',
      'Geändert: DIFFRANA Vario 75 (9524010000016, Deutsch); Lieferbarkeit: begrenzt lieferbar → lieferbar; ' +
        'Preis: – → 149,90\u00a0€; Kurzbeschreibung; Verpackungseinheit',
    ],
    [
      'en-gb',
      'Changed: DIFFRANA Vario 75 (9524010000016, German); Availability: limited availability → available; ' +
        'Price: – → €149.90; Short description; Packaging unit',
    ],
  ])('name what has changed in %s', (language, line) => {
    expect(wordsIn(language).change({ ...PRODUCT, fields: [...PRODUCT.fields] })).toBe(line);
  });

  it('state a price in the currency of its language', () => {
    const price = { ...PRODUCT.price, currency: 'CHF' };
    const change = { ...PRODUCT, language: 'de-ch', fields: ['price'], price };
    expect(wordsIn('de-de').change(change)).toContain('Preis: – → 149,90\u00a0CHF');
  });

  it('name a declared field by its label, and leave out one that nothing labels', () => {
    const change = { ...PRODUCT, fields: ['roll_weight', 'abas_id'] };
    expect(wordsIn('de-de').change(change)).toMatch(/Deutsch\); Rollengewicht$/);
  });

  it('name articles by their kind', () => {
    const { change } = wordsIn('de-de');
    expect(change({ kind: 'page', change: 'removed', title: 'Alt', fields: [] })).toBe('Entfallen: Alt (Seite)');
  });
});
