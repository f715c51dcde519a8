/** So that spreadsheets read the file as UTF-8. */
export const CSV_START = '\ufeff';

/** What spreadsheets take for a formula, or for what may stand before one; some read full-width signs as well. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A line of CSV (RFC 4180): texts in quotes, so that nothing but a spreadsheet takes a GTIN for a number. A text that a
 * spreadsheet would run as a formula gets an apostrophe before it, which shows it as text. It runs in browsers too.
 */
export function csvLine(fields: readonly (string | number | boolean | null | undefined)[]): string {
  return `${fields.map(cellOf).join(',')}\r\n`;
}

function cellOf(field: string | number | boolean | null | undefined): string {
  if (typeof field !== 'string') return String(field ?? '');
  return `"${FORMULA.test(field) ? "'" : ''}${field.replaceAll('"', '""')}"`;
}
