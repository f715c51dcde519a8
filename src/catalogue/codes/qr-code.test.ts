import { describe, expect, it } from 'vitest';
import { digitalLink } from '../addresses/shop-paths.ts';
import { qrCode } from './draw-codes.ts';

/** Dark modules, as the path draws them. */
function modulesOf({ size, path }: { size: number; path: string }): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, start, y, strokes] of path.matchAll(/M(\d+) (\d+)((?:h\d+|m\d+ 0)*)/g)) {
    let x = Number(start);
    for (const [, kind, length] of (strokes ?? '').matchAll(/([hm])(\d+)/g)) {
      if (kind === 'h') rows[Number(y)]?.fill(true, x, x + Number(length));
      x += Number(length);
    }
  }
  return rows;
}

/** Blocks of data codewords by version, for medium correction (ISO/IEC 18004, table 9). */
const BLOCKS: Record<number, number[]> = { 1: [16], 2: [28], 3: [44], 4: [32, 32], 5: [43, 43], 6: [27, 27, 27, 27] };
/** Centres of alignment patterns. */
const ALIGNED: Record<number, number> = { 2: 18, 3: 22, 4: 26, 5: 30, 6: 34 };
const MASKS = [
  (i: number, j: number) => (i + j) % 2 === 0,
  (i: number) => i % 2 === 0,
  (_: number, j: number) => j % 3 === 0,
  (i: number, j: number) => (i + j) % 3 === 0,
  (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

const bits = (cells: readonly boolean[]) => cells.reduce((value, bit) => value * 2 + Number(bit), 0);

/** Reads an undamaged code in bytes, as a scanner would: format, mask, path through the modules, blocks. */
function scan(modules: boolean[][]): { text: string; correction: number } {
  const size = modules.length;
  const version = (size - 17) / 4;
  const dark = (y: number, x: number) => modules[y]?.[x] ?? false;
  const format = bits([0, 1, 2, 3, 4].map((x) => dark(8, x))) ^ 0b10101;
  const isMasked = MASKS[format & 7];
  const centre = ALIGNED[version] ?? -9;
  const isFunction = (y: number, x: number): boolean =>
    (y < 9 && (x < 9 || x >= size - 8)) ||
    (x < 9 && y >= size - 8) ||
    x === 6 ||
    y === 6 ||
    (Math.abs(x - centre) < 3 && Math.abs(y - centre) < 3);
  const read: boolean[] = [];
  let isUpward = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isFunction(y, x)) read.push(dark(y, x) !== isMasked?.(y, x));
    }
    isUpward = !isUpward;
  }
  const blocks = BLOCKS[version] ?? [];
  const codewords = Array.from({ length: Math.floor(read.length / 8) }, (_, i) => bits(read.slice(i * 8, i * 8 + 8)));
  const parts = blocks.map((length, block) =>
    Array.from({ length }, (_, i) => codewords[i * blocks.length + block] ?? 0),
  );
  const stream = parts.flat().flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map((bit) => bit === '1'));
  expect(bits(stream.slice(0, 4)), 'mode: bytes').toBe(4);
  const length = bits(stream.slice(4, 12));
  const bytes = Array.from({ length }, (_, i) => bits(stream.slice(12 + i * 8, 20 + i * 8)));
  return { text: new TextDecoder().decode(new Uint8Array(bytes)), correction: format >> 3 };
}

describe('qrCode', () => {
  it.each([
    'https://haldenwerk.example',
    'http://localhost:4321',
    'https://katalog.ein-recht-langer-firmenname.example',
  ])('holds the Digital Link of a product, with medium correction: %s', (origin) => {
    const link = digitalLink('9524010000016', new URL(`${origin}/`));
    expect(link).toBe(`${origin}/01/09524010000016`);
    expect(scan(modulesOf(qrCode(link)))).toEqual({ text: link, correction: 0 });
  });
});
