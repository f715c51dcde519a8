import { trimTrailing } from '#contracts/index.ts';
import { encode } from 'uqr';

/** SVG of a code. The unit is a module. */
export interface CodeDrawing {
  /** `viewBox`. */
  box: string;
  /** Path of the light background that scanners require around a code. */
  ground: string;
  /** Dashes of the bars, or strokes of the modules. */
  path: string;
}

/** Height of the background, including the digits. */
const EAN_HEIGHT = 74;
const EAN_TOP = 2;

/** Caches the last product, because its pages in all languages are rendered in sequence. */
let last: { gtin: string; link: string; codes: ReturnType<typeof renderCodes> } | undefined;

/** Renders the EAN and QR codes of a product. @param link Content of the QR code. */
export function drawCodes(gtin: string, link: string) {
  if (last?.gtin !== gtin || last.link !== link) last = { gtin, link, codes: renderCodes(gtin, link) };
  return last.codes;
}

function renderCodes(gtin: string, link: string): { ean: CodeDrawing; qr: CodeDrawing } {
  const { left, right } = EAN_MARGINS;
  const qr = qrCode(link);
  const side = qr.size + 2 * QR_MARGIN;
  return {
    ean: {
      ...ground(left, EAN_TOP, left + EAN_WIDTH + right, EAN_HEIGHT),
      path: eanWidths(gtin).join(' '),
    },
    // Strokes are centred on their row.
    qr: { ...ground(QR_MARGIN, QR_MARGIN + 0.5, side, side), path: qr.path },
  };
}

/** Returns the view box and background of a code with margins around its first module. */
function ground(left: number, top: number, width: number, height: number): Pick<CodeDrawing, 'box' | 'ground'> {
  return { box: `-${left} -${top} ${width} ${height}`, ground: `M-${left}-${top}h${width}v${height}h-${width}z` };
}

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
const EAN_MARGINS = { left: 11, right: 7 };
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

/** Dashes of the longer bars at the ends and in the middle. */
export const GUARD_DASHES = '1 1 1 43';

/** Quiet zone around the code, in modules. */
const QR_MARGIN = 4;

/** Uses one mask for all codes: evaluating all eight takes longer than the rest of a page, and scanners read any. */
const MASK = 2;

/**
 * Creates a QR code with medium error correction.
 * @param address URL with letters, so that it is encoded as bytes.
 * @returns Modules per side, without margin, and the SVG path of strokes with a width of one module.
 */
export function qrCode(address: string): { size: number; path: string } {
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
    path += path === '' ? `M${x} ${y}` : GAPS[x - end];
    const start = x;
    while (row[x + 1] === 1) x++;
    end = x + 1;
    path += LINES[end - start];
  }
  return path;
}
