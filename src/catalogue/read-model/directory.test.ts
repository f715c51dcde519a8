import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { DIRECTORY_LISTS, openProductIndex, ROWS_PER_PAGE } from '#catalogue/read-model/product-index.ts';
import { gtinCheckDigit } from '#contracts/index.ts';
import { hashParts } from '#files/hash-parts.ts';
import { createProduct, languages, writeSnapshot } from '#catalogue/testing/write-snapshot.ts';
import { updateProductIndex } from './update-product-index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-index-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
  mainLanguage: 'de-de',
});

const PARTS = hashParts(256, 1);

function searchDigests(file: string): string[] {
  const productIndex = openProductIndex(file);
  const digests = PARTS.map((part) => productIndex.searchDigest('de-de', part));
  productIndex.close();
  return digests;
}

/** Names and numbers of many products are the same, from one page to the next; some are in other sections. */
const range = Array.from({ length: 3 * ROWS_PER_PAGE + 10 }, (_, i) => {
  const digits = `9524${String(i + 10).padStart(8, '0')}`;
  const name = i % 5 === 0 ? `Zarge ${i}` : 'Dichtband';
  const item_number = i % 3 === 0 ? '' : `HW-${Math.floor(i / 200)}`;
  return { gtin: `${digits}${gtinCheckDigit(digits)}`, name, item_number };
});
const [first = {}] = range;

/** Search digest of each part. */
let searched: string[] = [];

it.each([
  ['is made', range, PARTS.length],
  ['has one more in front', [{ ...first, gtin: '9524000000002', name: 'Abdichtung', item_number: '' }, ...range], 1],
  ['lacks its first two', range.slice(1), 2],
  ['begins with one of another name', [{ ...first, name: 'Zarge', item_number: 'Z' }, ...range.slice(1)], 1],
])('has every product once in each list when it %s', (_, offered, partsChanged) => {
  const file = path.join(folder, 'product-index.sqlite');
  const products = offered.map((fields, position) => ({ language: 'de-de', record: createProduct(fields), position }));
  writeSnapshot({ records: { language: languages('de-de') }, products }, folder);
  const snapshot = path.join(folder, '.sortiment/snapshot.sqlite');
  updateProductIndex(file, snapshot, options);
  const productIndex = openProductIndex(file);
  try {
    const pages = productIndex.directoryPages('de-de');
    for (const list of DIRECTORY_LISTS) {
      const rowsOf = pages
        .filter((page) => page.list === list)
        .map((page) => productIndex.directoryRows('de-de', page));
      const rows = rowsOf.flat();
      expect(rows.map(({ gtin }) => gtin).toSorted(), list).toEqual(
        products.map(({ record }) => record.gtin).toSorted(),
      );
      expect(rowsOf.every(({ length }) => length > 0 && length <= ROWS_PER_PAGE)).toBe(true);
      const places = rows.map(
        (row) => ({ names: '', 'item-numbers': row.item_number, gtins: row.gtin })[list] + row.gtin,
      );
      if (list !== 'names') expect(places).toEqual(places.toSorted());
    }
    expect(productIndex.directoryRows('de-de', { list: 'gtins', section: '', number: 99 })).toEqual([]);
    const before = searched;
    searched = searchDigests(file);
    expect(searched.filter((digest, part) => digest !== before[part])).toHaveLength(partsChanged);
    const fresh = path.join(folder, 'fresh.sqlite');
    rmSync(fresh, { force: true });
    updateProductIndex(fresh, snapshot, options);
    expect(searched).toEqual(searchDigests(fresh));
  } finally {
    productIndex.close();
  }
});
