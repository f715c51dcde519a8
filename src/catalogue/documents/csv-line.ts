/** Byte order mark, by which spreadsheets recognise UTF-8. */
export const CSV_START = '\ufeff';

/**
 * Characters at the start of a cell that spreadsheets interpret as a formula or skip before one. Some accept full-width
 * signs.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Formats a line of CSV (RFC 4180). Strings are quoted, so that only spreadsheets convert a GTIN to a number. A string
 * that a spreadsheet would run as a formula is prefixed with an apostrophe. Runs in browsers too.
 */
export function csvLine(fields: readonly (string | number | boolean | null | undefined)[]): string {
  return `${fields.map(formatCell).join(',')}\r\n`;
}

function formatCell(field: string | number | boolean | null | undefined): string {
  if (typeof field !== 'string') return String(field ?? '');
  return `"${FORMULA.test(field) ? "'" : ''}${field.replaceAll('"', '""')}"`;
}
