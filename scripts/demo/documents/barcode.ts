import { eanPath } from '#catalogue/codes/ean-barcode.ts';
import { STYLES } from './blocks.ts';
import type { Sheet } from './sheet.ts';

/** Draws the symbol with its digits, a point each module; `x` being the left edge of the first bar. Returns its height in points. */
export function drawBarcode(sheet: Sheet, gtin: string, x: number, y: number): number {
  const height = 38;
  const { doc } = sheet;
  doc
    .save()
    .translate(x, y)
    .path(eanPath(gtin, height, height + 5))
    .fill('#1c2b33')
    .restore();
  const digit = (text: string, at: number) =>
    sheet.setLine(text, at, y + height + 9, { ...STYLES.small, size: 8, color: '#1c2b33' });
  digit(gtin.slice(0, 1), x - 8);
  for (let i = 1; i < gtin.length; i++) {
    const column = i < 7 ? 4.4 + (i - 1) * 7 : 51.4 + (i - 7) * 7;
    digit(gtin.charAt(i), x + column);
  }
  return height + 12;
}
