import { decodePercent } from '#contracts/scan-text.ts';

/** Row of the document list. Columns have this order. */
export interface DocumentRow {
  gtin: string;
  item_number: string;
  product: string;
  product_url: string;
  /** Field of the product interface, such as `datasheet`. */
  document_type: string;
  language: string;
  url: string;
  file_name: string;
  bytes: number | undefined;
  /** ISO date of the last change. */
  modified: string | undefined;
  /** Hexadecimal. */
  sha256: string | undefined;
  /** ISO date since which another document replaces it. Undefined for current documents. */
  replaced: string | undefined;
  /** ISO date on which the product was discontinued. Undefined for current products. */
  discontinued: string | undefined;
}

const COLUMNS = [
  'gtin',
  'item_number',
  'product',
  'product_url',
  'document_type',
  'language',
  'url',
  'file_name',
  'bytes',
  'modified',
  'sha256',
  'replaced',
  'discontinued',
] as const satisfies readonly (keyof DocumentRow)[];

/** Returns the list of documents as CSV. */
export function documentCsv(rows: Iterable<DocumentRow>, language: string): string {
  return formatCsv([COLUMNS, ...Array.from(rows, (row) => COLUMNS.map((column) => row[column]))], language);
}

type CsvFields = Parameters<typeof csvLine>[0];

/** Returns a table in the form that spreadsheets open directly in this language. */
export function formatCsv(lines: readonly CsvFields[], language: string): string {
  // Spreadsheets expect semicolons if the decimal mark is a comma.
  const separator = new Intl.NumberFormat(language).format(1.5).includes(',') ? ';' : ',';
  return [CSV_START, ...lines.map((fields) => csvLine(fields, separator))].join('');
}

/** Byte order mark, by which spreadsheets recognise UTF-8. */
const CSV_START = '\ufeff';

/**
 * Characters at the start of a cell that spreadsheets interpret as a formula or skip before one. Some accept full-width
 * signs.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Formats a line of CSV (RFC 4180). Strings are quoted, so that only spreadsheets convert a GTIN to a number. A string
 * that a spreadsheet would run as a formula is prefixed with an apostrophe. Runs in browsers too.
 */
export function csvLine(fields: readonly (string | number | boolean | null | undefined)[], separator = ','): string {
  return `${fields.map(formatCell).join(separator)}\r\n`;
}

function formatCell(field: string | number | boolean | null | undefined): string {
  if (typeof field !== 'string') return String(field ?? '');
  return `"${FORMULA.test(field) ? "'" : ''}${field.replaceAll('"', '""')}"`;
}

/**
 * Returns the decoded file name of a document's URL. Path separators and control characters are replaced, because the
 * name may be used when an archive is unpacked.
 */
export function documentFileName(address: string): string {
  const last =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  return decodePercent(last).replaceAll(/[/\\\p{Cc}]+/gu, '-') || 'document.pdf';
}
