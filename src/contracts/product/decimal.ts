import { z } from 'zod';

/**
 * A number of the product interface, sent as a JSON number or as a text with a decimal point (`"25.000"`). Prices and
 * declared values are derived from `text`, which preserves the digits.
 */
export interface Decimal {
  value: number;
  text: string;
}

const decimalText = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, { error: 'is not a number with a decimal point' })
  .refine((text) => Math.abs(Number(text)) !== Infinity, { error: 'is larger than any number' });

export const decimal = z
  .union([z.number(), decimalText], {
    error: 'is neither a number nor a text with a decimal point',
  })
  .transform(toDecimal);

/** Converts a decimal without validation. @param wire The decimal as received */
export function toDecimal(wire: number | string): Decimal {
  return { value: Number(wire), text: typeof wire === 'number' ? plainText(wire) : wire };
}

/** Formats a number with all digits and without an exponent: `1.5e-7` -> `0.00000015`. */
function plainText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const [digits, places] = [whole + fraction, Number(exponent)];
  // Positive exponents start at 1e21, where the places exceed the number of digits.
  return sign + (places < 0 ? `0.${'0'.repeat(-places - 1)}${digits}` : digits.padEnd(places + 1, '0'));
}
