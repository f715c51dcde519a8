/**
 * EAN-13 (GS1 General Specifications 5.2): the first digit is encoded by which of the next six are drawn in set B.
 * Written out here because a library for all barcodes takes more time to load than a small build has.
 */

/** Widths of space, bar, space, bar of a digit in set A; set C has the same widths, set B those in reverse. */
const SET_A = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112'];
/** Which of the six digits on the left are of set B, by the first digit. */
const PARITIES = ['AAAAAA', 'AABABB', 'AABBAB', 'AABBBA', 'ABAABB', 'ABBAAB', 'ABBBAA', 'ABABAB', 'ABABBA', 'ABBABA'];
const GUARD = '111';
const CENTRE = '11111';

/** In modules: the light margins that a scanner needs, and the symbol between them. */
export const EAN_MARGINS = { left: 11, right: 7 };
export const EAN_WIDTH = 95;

/** @param gtin 13 digits. @returns Widths of bars and spaces in turn, beginning and ending with a bar, in modules. */
export function eanWidths(gtin: string): number[] {
  const digits = [...gtin].map(Number);
  const [first = 0, ...rest] = digits;
  const left = rest.slice(0, 6).map((digit, i) => drawDigit(digit, PARITIES[first]?.[i] === 'B'));
  const right = rest.slice(6).map((digit) => drawDigit(digit, false));
  return [...[GUARD, ...left, CENTRE, ...right, GUARD].join('')].map(Number);
}

function drawDigit(digit: number, isReversed: boolean): string {
  const widths = SET_A[digit] ?? '';
  return isReversed ? [...widths].toReversed().join('') : widths;
}

/** Bars as an SVG path of modules, beginning at 0; those that guard and part the digits are longer. */
export function eanPath(gtin: string, height: number, guardHeight: number): string {
  let path = '';
  let x = 0;
  for (const [i, width] of eanWidths(gtin).entries()) {
    const isGuard = x < 3 || (x >= 45 && x < 50) || x >= 92;
    if (i % 2 === 0) path += `M${x} 0h${width}v${isGuard ? guardHeight : height}h-${width}z`;
    x += width;
  }
  return path;
}
