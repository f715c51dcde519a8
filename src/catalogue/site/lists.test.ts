import { relatedProducts } from '../read-model/product-index.ts';
import { describe, expect, it } from 'vitest';
import { pickLocalized } from '#contracts/localized.ts';
import { numberedPath } from '../addresses/paths.ts';
import { documentList } from '../documents/download-pages.ts';
import { readingMinutes } from '../journal/related-posts.ts';
import { productDimensions } from '../products/product-view.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { createProductGroups } from './product-groups.ts';
import { paginate } from './navigation.ts';

const decimal = (text: string) => ({ text, value: Number(text) });

describe('productGroupsOf', () => {
  const families = [
    { id: 'tapes', name: 'Tapes' },
    { id: 'membranes', name: 'Membranes' },
    { id: 'empty', name: 'Empty' },
  ];

  it('follows the order of the families, and puts at the end what belongs to none', () => {
    const listed = ['', 'membranes', 'tapes'].map((productGroup) => ({
      productGroup,
      count: 1,
      highlights: [],
      columns: [],
      version: '',
      image: undefined,
      firstGtin: productGroup,
      documentsDigest: '',
      zips: [],
      isMeasured: false,
      facets: [],
      shared: [],
    }));
    const product = createProductEntry({ family: 'tapes' });
    const productIndex = {
      productGroups: () => listed,
      productGroup: () => [product],
      head: () => [],
      product: () => undefined,
    };
    const productGroups = createProductGroups(productIndex, 'de-de', families);
    expect(productGroups.map(({ family, firstGtin }) => [family?.id, firstGtin])).toEqual([
      ['tapes', 'tapes'],
      ['membranes', 'membranes'],
      [undefined, ''],
    ]);
    expect(productGroups[0]?.products).toEqual([product]);
  });
});

describe('relatedProducts', () => {
  const family = ['a', 'b', 'c', 'd'].map((gtin) => ({ gtin }));
  const neighbours = (gtin: string) => relatedProducts(family, gtin, 2).map((product) => product.gtin);

  it('begins behind the product and goes round', () => {
    expect([neighbours('a'), neighbours('d'), neighbours('c')]).toEqual([
      ['b', 'c'],
      ['a', 'b'],
      ['d', 'a'],
    ]);
  });
});

describe('pageList', () => {
  it('cuts a list into pages and gives an empty list one', () => {
    expect(paginate([1, 2, 3], 2)).toEqual([
      { items: [1, 2], number: 1, total: 2 },
      { items: [3], number: 2, total: 2 },
    ]);
    expect(paginate([], 2)).toEqual([{ items: [], number: 1, total: 1 }]);
  });

  it('keeps the first page at the address of the list', () => {
    expect([numberedPath('/de-de/journal/', 1), numberedPath('/de-de/journal/', 2)]).toEqual([
      '/de-de/journal/',
      '/de-de/journal/page/2/',
    ]);
  });
});

describe('documentList', () => {
  it('names what is missing in its place', () => {
    expect(documentList(createProductEntry()).map(({ field, document }) => [field, document?.fileName])).toEqual([
      ['datasheet', 'tds.pdf'],
      ['safety_datasheet', undefined],
      ['declaration_of_performance', undefined],
    ]);
  });
});

describe('dimensionFacts', () => {
  it('tells a unit once that packages and bundles alike', () => {
    expect(productDimensions(createProductEntry()).packaging.map(({ field }) => field)).toEqual([
      'trade_unit',
      'packaging_unit',
    ]);
    const tape = createProductEntry({ bundle_unit_quantity: decimal('480') });
    expect(productDimensions(tape).packaging.at(-1)).toEqual({
      field: 'bundle_unit',
      unit: 'Palette',
      quantity: '480',
    });
  });
});

describe('localized', () => {
  const texts = { de: 'Bänder', 'de-at': 'Bandln', en: 'Tapes' };

  it('goes from the region to the language to the main language', () => {
    expect(['de-at', 'de-de', 'en-gb', 'fr-fr'].map((code) => pickLocalized(texts, code, 'en-gb'))).toEqual([
      'Bandln',
      'Bänder',
      'Tapes',
      'Tapes',
    ]);
    expect(pickLocalized({}, 'de-de', 'en-gb')).toBeUndefined();
  });
});

describe('readingMinutes', () => {
  it('counts words, not tags', () => {
    expect(readingMinutes('<p><img alt="ein Bild"></p>')).toBe(0);
    expect(readingMinutes('<p>ein Wort</p>')).toBe(1);
    expect(readingMinutes(`<p class="a b c d">${'Wort '.repeat(610)}</p>`)).toBe(3);
  });
});
