/**
 * EAN-13 barcodes (GS1 General Specifications 5.2). The first digit determines which of the next six digits use set B.
 * There is no barcode library here, because loading one takes longer than a small build.
 */

/** Widths of space, bar, space, bar of a digit in set A. Set C has the same widths, set B the reverse. */
const SET_A = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112'];
/** Sets of the six digits on the left, by the first digit. */
const PARITIES = ['AAAAAA', 'AABABB', 'AABBAB', 'AABBBA', 'ABAABB', 'ABBAAB', 'ABBBAA', 'ABABAB', 'ABABBA', 'ABBABA'];
const GUARD = '111';
const CENTRE = '11111';

/** Quiet zones and symbol width, in modules. */
export const EAN_MARGINS = { left: 11, right: 7 };
export const EAN_WIDTH = 95;

/** @param gtin 13 digits. @returns Alternating widths of bars and spaces, in modules. The first and last are bars. */
export function eanWidths(gtin: string): number[] {
  const digits = [...gtin].map(Number);
  const [first = 0, ...rest] = digits;
  const left = rest.slice(0, 6).map((digit, i) => digitWidths(digit, PARITIES[first]?.[i] === 'B'));
  const right = rest.slice(6).map((digit) => digitWidths(digit, false));
  return [...[GUARD, ...left, CENTRE, ...right, GUARD].join('')].map(Number);
}

function digitWidths(digit: number, isReversed: boolean): string {
  const widths = SET_A[digit] ?? '';
  return isReversed ? [...widths].toReversed().join('') : widths;
}

/** Renders the bars as an SVG path that starts at 0. Guard bars are longer. */
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
