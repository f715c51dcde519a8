import { gtinCheckDigit } from '#contracts/index.ts';

/** GS1 keeps this prefix for demonstrations: nobody's trade item has it. */
const DEMO_PREFIX = '952';

/** A valid GTIN-13 that no product has: of the demonstration prefix, counted down from its end past those that are known. */
export function chooseUnknownGtin(known: ReadonlySet<string>): string {
  for (let number = 999_999_999; ; number -= 1) {
    const digits = DEMO_PREFIX + String(number).padStart(9, '0');
    const gtin = digits + gtinCheckDigit(digits);
    if (!known.has(gtin)) return gtin;
  }
}
