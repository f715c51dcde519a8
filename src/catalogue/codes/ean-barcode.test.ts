import bwip from 'bwip-js/node';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { EAN_WIDTH, eanPath, eanWidths } from './draw-codes.ts';

const gtins = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
  .map((digits) => digits.join(''))
  .map((digits) => `${digits}${gtinCheckDigit(digits)}`);

/** Bars and spaces as another program draws them. */
function reference(gtin: string): unknown {
  const [symbol] = bwip.raw({ bcid: 'ean13', text: gtin });
  return symbol && 'sbs' in symbol ? symbol.sbs : undefined;
}

it('draws the bars that any other program draws', () => {
  fc.assert(
    fc.property(gtins, (gtin) => {
      expect(eanWidths(gtin)).toEqual(reference(gtin));
    }),
    { numRuns: 50 },
  );
});

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
