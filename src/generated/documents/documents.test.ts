import { openProductIndex } from '#catalogue/read-model/product-index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { documentCsv } from '#catalogue/documents/document-csv.ts';
import { defineConfig } from '#config/index.ts';
import { updateProductIndex } from '#catalogue/read-model/update-product-index.ts';
import { writeTestCatalogue } from '#build/testing/test-catalogue.ts';
import { documentRows } from './documents.ts';

vi.stubEnv('SITE_URL', 'https://catalogue.example');

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-documents-'));
const site = new URL('https://catalogue.example');
let productIndex: ReturnType<typeof openProductIndex>;
const read = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, delimiter: [',', ';'] });

beforeAll(async () => {
  await writeTestCatalogue(folder);
  const options = defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  });
  const file = path.join(folder, 'product-index.sqlite');
  updateProductIndex(file, path.join(folder, '.sortiment/snapshot.sqlite'), options);
  productIndex = openProductIndex(file);
});
afterAll(() => {
  productIndex.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['de-de', 'en-gb', 'fr-fr'])(
  'has a row for every document of every product in %s, and no other',
  (language) => {
    const all = read(documentCsv(documentRows(productIndex, language, site), language));
    const rows = all.filter(({ discontinued }) => discontinued === '');
    const productGroups = productIndex.productGroups(language);
    const inGroups = productGroups.flatMap(({ productGroup }) =>
      productIndex
        .productGroup(language, productGroup)
        .flatMap(({ gtin }) =>
          productIndex.documentsOf(language, gtin).documents.map(({ field }) => `${gtin} ${field}`),
        ),
    );
    expect(inGroups.length).toBeGreaterThan(10);
    expect(rows.map(({ gtin, document_type }) => `${gtin} ${document_type}`).toSorted()).toEqual(inGroups.toSorted());
    expect(new Set(all.map(({ url }) => url)).size).toBe(productIndex.countDocuments(language));
  },
);

it('names the file, its address, its product and its checksum', () => {
  const [row] = read(documentCsv(documentRows(productIndex, 'de-de', site), 'de-de'));
  expect(row).toMatchObject({
    gtin: expect.stringMatching(/^\d{13}$/),
    document_type: 'datasheet',
    language: 'de-de',
    url: expect.stringMatching(/^https:\/\/catalogue\.example\/documents\/[0-9a-f]{8}-b\.pdf$/),
    file_name: 'b.pdf',
    bytes: expect.stringMatching(/^[1-9]\d*$/),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    product_url: expect.stringMatching(/^https:\/\/catalogue\.example\/de-de\/p\/.*\/$/),
    replaced: '',
    discontinued: '',
  });
});

it('has what is no longer offered at the end, with the day when it left the range', () => {
  const rows = read(documentCsv(documentRows(productIndex, 'de-de', site), 'de-de'));
  const left = rows.filter(({ discontinued }) => discontinued !== '');
  expect(left.map(({ discontinued }) => discontinued)).toEqual(left.map(() => '2026-11-20'));
  expect(left.map(({ gtin }) => gtin)).toEqual(productIndex.discontinued('de-de').map(({ gtin }) => gtin));
  expect(left.length).toBeGreaterThan(0);
  expect(rows.slice(-left.length)).toEqual(left);
});
