import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineConfig } from '../../config/index.ts';
import { gtinCheckDigit } from '../../contracts/index.ts';
import { createProduct, languages, writeSnapshot } from '../fixtures/index.ts';
import { openListing, REGISTER_LISTS, updateListing, type RegisterRow } from './index.ts';
import { ROWS_PER_PAGE } from './register.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-register-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
  mainLanguage: 'de-de',
});

it('has every product once in each list, page by page, however many are called the same', () => {
  const products = Array.from({ length: 3 * ROWS_PER_PAGE + 10 }, (_, i) => {
    const digits = `9524${String(i).padStart(8, '0')}`;
    // Names and numbers that go on from one page to the next, and some of other sections.
    const name = i % 5 === 0 ? `Zarge ${i}` : 'Dichtband';
    const record = createProduct({
      gtin: `${digits}${gtinCheckDigit(digits)}`,
      name,
      item_number: i % 3 === 0 ? '' : `HW-${Math.floor(i / 200)}`,
    });
    return { language: 'de-de', record, position: i };
  });
  const file = path.join(folder, 'listing.sqlite');
  writeSnapshot({ records: { language: languages('de-de') }, products }, folder);
  updateListing(file, path.join(folder, '.sortiment/snapshot.sqlite'), options);
  const listing = openListing(file);
  try {
    const pages = listing.registerPages('de-de');
    const byGtin = products.map(({ record }) => record.gtin);
    for (const list of REGISTER_LISTS) {
      const rowsOf = pages.filter((page) => page.list === list).map((page) => listing.registerRows('de-de', page));
      const rows = rowsOf.flat();
      expect(rows.map(({ gtin }) => gtin).toSorted(), list).toEqual(byGtin);
      expect(rowsOf.every(({ length }) => length > 0 && length <= ROWS_PER_PAGE)).toBe(true);
      const shown = (row: RegisterRow) =>
        ({ names: row.name, 'item-numbers': row.item_number, gtins: row.gtin })[list] + row.gtin;
      if (list !== 'names') expect(rows.map(shown)).toEqual(rows.map(shown).toSorted());
    }
    expect(listing.registerRows('de-de', { list: 'gtins', section: '', number: 99 })).toEqual([]);
  } finally {
    listing.close();
  }
});
