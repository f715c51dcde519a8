import { expect, it } from 'vitest';
import { EAN_WIDTH, eanPath } from './draw-codes.ts';

it('is 95 modules wide, with longer bars at its ends and in its middle', () => {
  const path = eanPath('9524010000016', 60, 65);
  const bars = [...path.matchAll(/M(\d+) 0h(\d+)v(\d+)/g)].map(([, x, width, height]) =>
    [x, width, height].map(Number),
  );
  expect(bars).toHaveLength(30);
  expect(bars.filter(([, , height]) => height === 65).map(([x]) => x)).toEqual([0, 2, 46, 48, 92, 94]);
  const [x = 0, width = 0] = bars.at(-1) ?? [];
  expect(x + width).toBe(EAN_WIDTH);
});
