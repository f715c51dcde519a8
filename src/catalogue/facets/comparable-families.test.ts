import { expect, it } from 'vitest';
import { familyTools } from './facet-pages.ts';

const product = { gtin: 'a', pageLanguage: 'de-de' };
const family = { id: 'tapes' };

it('puts a product beside its neighbours, and leaves room for one more', () => {
  const neighbours = ['b', 'c', 'd', 'e'].map((gtin) => ({ gtin }));
  expect(familyTools({ product, family, related: neighbours })).toEqual({
    compare: '/de-de/products/tapes/compare/?p=a,b,c',
  });
});

it('leads nowhere from what has no neighbours or is no longer offered: the comparison does not know it', () => {
  const related = [{ gtin: 'b' }];
  expect(familyTools({ product, family, related: [] })).toBeUndefined();
  expect(familyTools({ product, family: undefined, related })).toBeUndefined();
  expect(familyTools({ product: { ...product, archived: {} }, family, related })).toBeUndefined();
});
