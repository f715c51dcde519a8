import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { documentCsv, type DocumentRow } from './document-csv.ts';

const row = (changes: Partial<DocumentRow> = {}): DocumentRow => ({
  gtin: '0412345000018',
  item_number: 'HW-10110',
  product: 'DIFFRANA Vario 75',
  product_url: 'https://catalogue.example/p/',
  document_type: 'datasheet',
  language: 'de-de',
  url: 'https://catalogue.example/documents/a.pdf',
  file_name: 'a.pdf',
  bytes: 312,
  modified: '2026-11-20',
  sha256: 'ab',
  replaced: undefined,
  discontinued: undefined,
  ...changes,
});
const read = (rows: DocumentRow[]): Record<string, string>[] =>
  parse(documentCsv(rows, 'en-gb'), { bom: true, columns: true, record_delimiter: '\r\n' });

it('comes back as it was, whatever is in a name', () => {
  for (const product of ['Band 60 × 25', 'sagt "fest", hält', 'zwei\r\nZeilen', 'Größe; Ø 8', '–'])
    expect(read([row({ product })])[0]).toMatchObject({
      product,
      gtin: '0412345000018',
      bytes: '312',
      replaced: '',
      discontinued: '',
    });
});

it('begins with the mark that tells spreadsheets that it is UTF-8', () => {
  expect(documentCsv([], 'en-gb').startsWith('\ufeff"gtin","item_number"')).toBe(true);
});

it('has semicolons where the comma is the decimal mark', () => {
  for (const language of ['de-de', 'fr-fr'])
    expect(documentCsv([], language).startsWith('\ufeff"gtin";"item_number"')).toBe(true);
});

it('lets no spreadsheet run a text', () => {
  for (const product of ['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(A1)', '\tx', '\n=1', '＝1'])
    expect(read([row({ product })])[0]?.['product']).toBe(`'${product}`);
});
