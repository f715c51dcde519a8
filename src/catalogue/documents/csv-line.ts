/** So that spreadsheets read the file as UTF-8. */
export const CSV_START = '\ufeff';

/** What spreadsheets take for a formula, or for what may stand before one; some read full-width signs as well. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text that a spreadsheet would run as a formula gets an apostrophe before it, which shows it as text. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A line of CSV (RFC 4180), every field in quotes; no text in it is a formula. */
export function csvLine(fields: readonly (string | number | undefined)[]): string {
  const cells = fields.map((field) => {
    const text = typeof field === 'string' ? escapeFormula(field) : String(field ?? '');
    return `"${text.replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}
