const DIGITS_PADDED = 8;

/**
 * What a name or number is sorted by in every language alike: without case and marks, and with numbers by their size,
 * so that `Uni 60` stands before `Uni 150`.
 */
export function sortKey(text: string): string {
  return foldText(text).replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS_PADDED, '0'));
}

/** Lower case without marks; `ß` is `ss`. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .trim();
}
