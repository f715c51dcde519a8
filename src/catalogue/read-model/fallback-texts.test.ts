import { expect, it } from 'vitest';
import { fallbackTexts } from './project-products.ts';
import { createProduct } from '#catalogue/testing/write-snapshot.ts';

const record = (changes: Parameters<typeof createProduct>[0]) =>
  createProduct({ application: '', advantages: '', substrate: '', limiting_factors: '', ...changes });
const german = record({ language: 'de-de', application: '<p>Dach</p>', advantages: '<p>Dicht</p>' });

it('takes what a translation lacks from the main language, and names it', () => {
  expect(fallbackTexts(record({ language: 'fr-fr', application: '<p>Toit</p>' }), german)).toEqual({
    advantages: '<p>Dicht</p>',
    borrowed: { language: 'de-de', fields: ['advantages'] },
  });
});

it('takes nothing where nothing is lacking, or where there is nobody to take it from', () => {
  expect(fallbackTexts(german, german)).toEqual({});
  expect(fallbackTexts(record({ language: 'fr-fr' }), undefined)).toEqual({});
  expect(fallbackTexts(record({ language: 'fr-fr' }), record({ language: 'de-de' }))).toEqual({});
});
