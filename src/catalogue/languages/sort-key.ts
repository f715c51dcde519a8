const DIGITS_PADDED = 8;

/**
 * Returns a sort key that is the same in every language. It ignores case and marks, and orders numbers by value, so
 * that `Uni 60` precedes `Uni 150`.
 */
export function sortKey(text: string): string {
  return foldText(text).replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS_PADDED, '0'));
}

/** Converts to lower case and removes marks. `ß` becomes `ss`. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .trim();
}
