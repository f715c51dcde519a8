import type { default as BwipJs } from 'bwip-js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { eanWidths } from './draw-codes.ts';

const bwip = loadAuditTool<typeof BwipJs>('bwip-js');

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
