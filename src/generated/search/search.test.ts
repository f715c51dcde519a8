import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import type { NumbersFile } from '#catalogue/addresses/site-paths.ts';
import { packNumbers } from '#catalogue/directory/fold-number.ts';
import { gtinCheckDigit } from '#contracts/index.ts';
import { createProduct, languages } from '#catalogue/testing/index.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { searchNumbers, splitIntoChunks, searchText } from './search-text.ts';

let site: TestSite | undefined;
afterEach(() => {
  site?.close();
  site = undefined;
});

const gtin = (i: number): string => {
  const body = `952401${String(i).padStart(6, '0')}`;
  return `${body}${gtinCheckDigit(body)}`;
};
const product = (i: number, more: Parameters<typeof createProduct>[0] = {}) => ({
  language: 'de-de',
  record: createProduct({
    gtin: gtin(i),
    name: `Band ${i}`,
    item_number: `HW-${10000 + i}`,
    language: 'de-de',
    ...more,
  }),
  position: i,
});
const catalogue = (products: ReturnType<typeof product>[]) => ({
  records: { language: languages('de-de') },
  products,
});

it('is rebuilt when something that is searched has changed, and not for a price', async () => {
  site = openTestSite(catalogue([product(1), product(2)]));
  await site.update([searchNumbers, searchText]);
  expect(site.written).toContain('_search/de-de/numbers/0.json');
  expect(site.written).toContain('_search/de-de/text/0/pagefind.js');
  expect(site.written.filter((file) => /pagefind-(ui|worker|highlight)|wasm\.unknown/.test(file))).toEqual([]);

  site.write(catalogue([product(1, { price: 99.5, availability: 'limited' }), product(2)]));
  await site.update([searchNumbers, searchText]);
  expect(site.written).toEqual([]);

  const heavier = product(1, { price: 99.5, materials: [{ name: 'Träger', value: 'Polyestervlies' }] });
  site.write(catalogue([heavier, product(2)]));
  await site.update([searchNumbers, searchText]);
  expect(site.written.some((file) => file.startsWith('_search/de-de/text/'))).toBe(true);
  expect(site.written.some((file) => file.startsWith('_search/de-de/numbers/'))).toBe(false);

  site.write(catalogue([heavier]));
  await site.update([searchNumbers, searchText]);
  const numbers = JSON.parse(site.files.get('_search/de-de/numbers/0.json') ?? '') as NumbersFile;
  expect(numbers.gtins).toEqual([gtin(1)]);
});

it('is made of a text with half a character as well', async () => {
  site = openTestSite(catalogue([product(1, { intro: 'half \ud800 of one' }), product(2)]));
  await site.update([searchText]);
  expect(site.written).toContain('_search/de-de/text/0/pagefind.js');
});

it('keeps the numbers of 5,000 products within 120 kB', () => {
  const names = ['DIFFRANA Vario', 'KLEVENTO Uni', 'HAFTARO Anschluss', 'WARMOLA Flex'];
  const rows = Array.from({ length: 5000 }, (_, i) => {
    const name = `${names[i % 4]} ${(i * 7919) % 10_007}`;
    const item_number = `HW-${(i * 104_729) % 999_983}`;
    return { gtin: gtin(i), name, item_number, language: 'de-de', slug: productSlug(name, gtin(i)) };
  });
  expect(gzipSync(JSON.stringify(packNumbers(rows, 'de-de'))).length).toBeLessThan(120_000);
});

it('gives larger assortments more files', () => {
  expect([...splitIntoChunks([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...splitIntoChunks([1, 2], 2)]).toEqual([[1, 2]]);
  expect([...splitIntoChunks([], 2)]).toEqual([]);
});
