import { trimTrailing } from '#contracts/index.ts';
import { encode } from 'uqr';

export interface QrCode {
  /** Modules per side, without margin. */
  size: number;
  /** SVG path of strokes with a width of one module. */
  path: string;
}

/** Quiet zone around the code, in modules. */
export const QR_MARGIN = 4;

/** Uses one mask for all codes: evaluating all eight takes longer than the rest of a page, and scanners read any. */
const MASK = 2;

/** Creates a QR code with medium error correction. @param address URL with letters, so that it is encoded as bytes. */
export function qrCode(address: string): QrCode {
  const { size, modules } = encodeDigits(address);
  const rows = Array.from({ length: size }, (_, y) => strokes(modules.subarray(y * size, (y + 1) * size), y));
  return { size, path: rows.join('') };
}

interface Matrix {
  size: number;
  /** Modules row by row, 1 for dark. */
  modules: Uint8Array;
}

/** Data shared by all addresses that end with the same number of digits. */
interface Stem {
  zeroMatrix: Matrix;
  /** Indexes of modules that flip if a digit replaces a zero, by position and digit. */
  flipped: Map<string, number[]>;
}

const stems = new Map<string, Stem>();

/**
 * Error correction and mask are linear over XOR, so the modules flipped by a digit don't depend on other digits. The
 * codes of all products are composed of one code of zeros and the flips of single digits.
 */
function encodeDigits(address: string): Matrix {
  const begin = trimTrailing(address, '0123456789').length;
  const digits = address.slice(begin);
  const zeros = address.slice(0, begin) + '0'.repeat(digits.length);
  const { zeroMatrix, flipped } = stems.get(zeros) ?? {
    zeroMatrix: encodeMatrix(zeros),
    flipped: new Map<string, number[]>(),
  };
  stems.set(zeros, { zeroMatrix, flipped });
  const modules = zeroMatrix.modules.slice();
  for (let at = begin; at < address.length; at++) {
    const digit = address.charAt(at);
    if (digit === '0') continue;
    const key = `${at} ${digit}`;
    const flips =
      flipped.get(key) ?? differences(zeroMatrix, encodeMatrix(zeros.slice(0, at) + digit + zeros.slice(at + 1)));
    flipped.set(key, flips);
    for (const i of flips) modules[i] = 1 - (modules[i] ?? 0);
  }
  return { size: zeroMatrix.size, modules };
}

function differences(a: Matrix, b: Matrix): number[] {
  return [...a.modules.keys()].filter((i) => a.modules[i] !== b.modules[i]);
}

function encodeMatrix(address: string): Matrix {
  const { size, data } = encode(address, { ecc: 'M', border: 0, maskPattern: MASK });
  return { size, modules: Uint8Array.from(data.flat(), Number) };
}

/** Modules per side of the largest QR code. */
const MAX_SIZE = 177;
/** Path commands by length, precomputed because formatting numbers takes most of the rendering time. */
const LINES = Array.from({ length: MAX_SIZE + 1 }, (_, length) => `h${length}`);
const GAPS = Array.from({ length: MAX_SIZE }, (_, length) => `m${length} 0`);

/** Renders the dark modules of a row as horizontal strokes. */
function strokes(row: Uint8Array, y: number): string {
  let path = '';
  let end = 0;
  for (let x = 0; x < row.length; x++) {
    if (row[x] === 0) continue;
    path += path === '' ? `M${x} ${y}.5` : GAPS[x - end];
    const start = x;
    while (row[x + 1] === 1) x++;
    end = x + 1;
    path += LINES[end - start];
  }
  return path;
}
