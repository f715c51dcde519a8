import { csvLine } from '#catalogue/documents/csv-line.ts';
import { FEED_COLUMNS, type FeedColumn, type FeedProduct } from '#contracts/feed/index.ts';
import type { FeedFormat, FeedPieces } from './feed-format.ts';

/** The products as CSV, in UTF-8. */
export const csvFormat: FeedFormat = {
  compose: (products) => rowsOf(toCsv(products)),
  split: (file) => rowsOf(file.slice(HEADER.length)),
  files: [{ extension: 'csv', join: (rows) => `${HEADER}${rows.join('')}` }],
};

/** Where a row ends, and one begins: within a text, quotes are doubled. */
const BETWEEN = /(?<=\r\n)(?="\d{13}",)/;
const GTIN = { from: '"'.length, to: '"'.length + 13 };

function rowsOf(csv: string): FeedPieces {
  return new Map(csv === '' ? [] : csv.split(BETWEEN).map((row) => [row.slice(GTIN.from, GTIN.to), row]));
}

const HEADER = csvLine(FEED_COLUMNS);

function toCsv(products: readonly FeedProduct[]): string {
  return products.map((product) => csvLine(FEED_COLUMNS.map((column) => plain(product[column])))).join('');
}

/** Lists stand in one field, as JSON. */
function plain(value: FeedProduct[FeedColumn]): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
