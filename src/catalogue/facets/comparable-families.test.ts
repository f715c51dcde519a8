import { expect, it } from 'vitest';
import { relatedComparePath } from './facet-pages.ts';

const product = { gtin: 'a', pageLanguage: 'de-de' };
const family = { id: 'tapes' };

it('puts a product beside its neighbours, and leaves room for one more', () => {
  const neighbours = ['b', 'c', 'd', 'e'].map((gtin) => ({ gtin }));
  expect(relatedComparePath({ product, family, related: neighbours })).toBe('/de-de/products/tapes/compare/?p=a,b,c');
});

it('leads nowhere from what has no neighbours or is no longer offered: the comparison does not know it', () => {
  const related = [{ gtin: 'b' }];
  expect(relatedComparePath({ product, family, related: [] })).toBeUndefined();
  expect(relatedComparePath({ product, family: undefined, related })).toBeUndefined();
  expect(relatedComparePath({ product: { ...product, archived: {} }, family, related })).toBeUndefined();
});
