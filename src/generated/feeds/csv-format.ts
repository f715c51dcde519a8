import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '#catalogue/documents/csv-line.ts';
import { FEED_COLUMNS, type FeedProduct } from '#contracts/feed/index.ts';
import type { FeedFormat, FeedPieces } from './feed-format.ts';

/**
 * The products as CSV (RFC 4180): UTF-8, a comma, CRLF, texts in quotes, so that nothing but a spreadsheet takes a
 * GTIN for a number. A text that a spreadsheet would take for a formula begins with an apostrophe.
 */
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

const HEADER = toCsv([], true);

function toCsv(products: readonly FeedProduct[], header = false): string {
  return stringify([...products], {
    header,
    columns: [...FEED_COLUMNS],
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => String(value), string: escapeFormula },
  });
}
