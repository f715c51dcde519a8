import { expect, it } from 'vitest';
import { EAN_WIDTH, eanWidths, GUARD_DASHES } from './draw-codes.ts';

/** Start and width of each dash on a line. Dashes alternate with gaps, and repeat. */
function dashesOf(widths: readonly number[]): number[][] {
  const dashes: number[][] = [];
  for (let i = 0, x = 0; x < EAN_WIDTH; i++) {
    const width = widths[i % widths.length] ?? 0;
    if (i % 2 === 0) dashes.push([x, width]);
    x += width;
  }
  return dashes;
}

it('is 95 modules wide, with longer bars at its ends and in its middle', () => {
  const bars = dashesOf(eanWidths('9524010000016'));
  expect(bars).toHaveLength(30);
  const guards = dashesOf(GUARD_DASHES.split(' ').map(Number));
  expect(guards.map(([x]) => x)).toEqual([0, 2, 46, 48, 92, 94]);
  expect(bars).toEqual(expect.arrayContaining(guards));
  const [x = 0, width = 0] = bars.at(-1) ?? [];
  expect(x + width).toBe(EAN_WIDTH);
});
