/** So that spreadsheets read the file as UTF-8. */
export const CSV_START = '\ufeff';

/** What spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of CSV (RFC 4180), every field in quotes. A text that a spreadsheet would run as a formula gets an apostrophe
 * before it, which shows it as text.
 */
export function csvLine(fields: readonly (string | number | undefined)[]): string {
  const cells = fields.map((field) => {
    const text = String(field ?? '');
    const safe = typeof field === 'string' && FORMULA.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}
