import { STYLES } from './blocks.ts';
import type { Sheet } from './sheet.ts';

/** The seven modules of a digit in the left half with odd parity; even parity is their mirrored complement. */
const LEFT_ODD = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
/** Which of the left six digits have even parity: that encodes the first digit. */
const PARITIES = ['OOOOOO', 'OOEOEE', 'OOEEOE', 'OOEEEO', 'OEOOEE', 'OEEOOE', 'OEEEOO', 'OEOEOE', 'OEOEEO', 'OEEOEO'];

/** The 95 modules of an EAN-13 symbol, `1` for a bar (ISO/IEC 15420). */
export function ean13Modules(gtin: string): string {
  const digits = [...gtin].map(Number);
  const parity = PARITIES[digits[0] ?? 0] ?? '';
  const left = digits.slice(1, 7).map((digit, i) => {
    const odd = LEFT_ODD[digit] ?? '';
    return parity[i] === 'E' ? [...complement(odd)].toReversed().join('') : odd;
  });
  const right = digits.slice(7).map((digit) => complement(LEFT_ODD[digit] ?? ''));
  return `101${left.join('')}01010${right.join('')}101`;
}

function complement(modules: string): string {
  return [...modules].map((bit) => (bit === '1' ? '0' : '1')).join('');
}

/** Width of the symbol in points, at one point a module. */
export const BARCODE_WIDTH = 95;

/** Draws the symbol with its digits, `x` being the left edge of the first bar. Returns its height in points. */
export function drawBarcode(sheet: Sheet, gtin: string, x: number, y: number): number {
  const height = 38;
  const { doc } = sheet;
  for (const [i, bit] of [...ean13Modules(gtin)].entries()) {
    if (bit !== '1') continue;
    const guard = i < 3 || i > 91 || (i > 44 && i < 50);
    doc.rect(x + i, y, 1, guard ? height + 5 : height);
  }
  doc.fill('#1c2b33');
  const digit = (text: string, at: number) =>
    sheet.setLine(text, at, y + height + 9, { ...STYLES.small, size: 8, color: '#1c2b33' });
  digit(gtin.slice(0, 1), x - 8);
  for (let i = 1; i < gtin.length; i++) {
    const column = i < 7 ? 4.4 + (i - 1) * 7 : 51.4 + (i - 7) * 7;
    digit(gtin.charAt(i), x + column);
  }
  return height + 12;
}
