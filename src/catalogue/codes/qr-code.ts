import { encode } from 'uqr';

export interface QrCode {
  /** Modules of a side, without margin. */
  size: number;
  /** SVG path of strokes, one module wide. */
  path: string;
}

/** Modules that stay light around the code. */
export const QR_MARGIN = 4;

/** One mask for all: to weigh all eight takes longer than all the rest of a page, and readers read each of them. */
const MASK = 2;

/** A QR code with medium correction. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: 0, maskPattern: MASK });
  return { size, path: data.map(strokes).join('') };
}

/** Dark modules of a row as horizontal strokes. */
function strokes(row: readonly boolean[], y: number): string {
  let path = '';
  let at = 0;
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += path === '' ? `M${start} ${y}.5` : `m${start - at} 0`;
    path += `h${x + 1 - start}`;
    at = x + 1;
  }
  return path;
}
