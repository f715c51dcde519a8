/**
 * Converts a header date to ISO: an HTTP date, or `@` and seconds (RFC 9651, 3.3.7). Returns other values unchanged.
 */
export function formatHeaderDate(header: string): string {
  const seconds = /^@(-?\d{1,11})$/.exec(header.trim())?.[1];
  const milliseconds = seconds === undefined ? Date.parse(header) : Number(seconds) * 1000;
  return Number.isNaN(milliseconds) ? header.trim().slice(0, 100) : new Date(milliseconds).toISOString();
}
