import { trimEndOf } from '#contracts/index.ts';
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

/** A QR code with medium correction. @param address With letters in it, so that it is encoded as bytes. */
export function qrCode(address: string): QrCode {
  const { size, modules } = drawDigits(address);
  const rows = Array.from({ length: size }, (_, y) => strokes(modules.subarray(y * size, (y + 1) * size), y));
  return { size, path: rows.join('') };
}

interface Drawing {
  size: number;
  /** Row by row, 1 for dark. */
  modules: Uint8Array;
}

/** What all addresses that end with so many digits have in common. */
interface Stem {
  ofZeros: Drawing;
  /** Modules that turn when one of the zeros becomes another digit, by place and digit. */
  turned: Map<string, number[]>;
}

const stems = new Map<string, Stem>();

/**
 * Correction and mask are sums without carry, and so are codes: what a digit turns is the same whatever the others
 * are. The codes of all products are put together from one of zeros and from what single digits turn.
 */
function drawDigits(address: string): Drawing {
  const begin = trimEndOf(address, '0123456789').length;
  const digits = address.slice(begin);
  const zeros = address.slice(0, begin) + '0'.repeat(digits.length);
  const { ofZeros, turned } = stems.get(zeros) ?? { ofZeros: draw(zeros), turned: new Map<string, number[]>() };
  stems.set(zeros, { ofZeros, turned });
  const modules = ofZeros.modules.slice();
  for (let at = begin; at < address.length; at++) {
    const digit = address.charAt(at);
    if (digit === '0') continue;
    const place = `${at} ${digit}`;
    const turns = turned.get(place) ?? differences(ofZeros, draw(zeros.slice(0, at) + digit + zeros.slice(at + 1)));
    turned.set(place, turns);
    for (const i of turns) modules[i] = 1 - (modules[i] ?? 0);
  }
  return { size: ofZeros.size, modules };
}

function differences(a: Drawing, b: Drawing): number[] {
  return [...a.modules.keys()].filter((i) => a.modules[i] !== b.modules[i]);
}

function draw(address: string): Drawing {
  const { size, data } = encode(address, { ecc: 'M', border: 0, maskPattern: MASK });
  return { size, modules: Uint8Array.from(data.flat(), Number) };
}

/** Side of the largest code there is. */
const MAX_SIZE = 177;
/** Commands of paths by length: to write numbers takes most of the time of drawing. */
const LINES = Array.from({ length: MAX_SIZE + 1 }, (_, length) => `h${length}`);
const GAPS = Array.from({ length: MAX_SIZE }, (_, length) => `m${length} 0`);

/** Dark modules of a row as horizontal strokes. */
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
