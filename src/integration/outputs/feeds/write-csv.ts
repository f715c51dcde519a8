import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../../catalogue/documents/csv-line.ts';
import { FEED_COLUMNS, type FeedProduct } from '../../../contracts/feed/index.ts';

/**
 * The products as CSV (RFC 4180): UTF-8, a comma, CRLF, texts in quotes, so that nothing but a spreadsheet takes a
 * GTIN for a number. A text that a spreadsheet would take for a formula begins with an apostrophe.
 */
export function writeCsv(products: readonly FeedProduct[]): string {
  return stringify([...products], {
    header: true,
    columns: [...FEED_COLUMNS],
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => String(value), string: escapeFormula },
  });
}
