import { z } from 'zod';

/**
 * A number of the product interface. It may travel as a JSON number or as a text with a decimal point
 * (`"25.000"`), so both its value and its text are kept; `text` is what money and declared values are made from.
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

/** @param wire A decimal as it travels; nothing is checked. */
export function toDecimal(wire: number | string): Decimal {
  return { value: Number(wire), text: typeof wire === 'number' ? plainText(wire) : wire };
}

/** Never in exponent form, with every digit: `1.5e-7` -> `0.00000015`. */
function plainText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const [digits, places] = [whole + fraction, Number(exponent)];
  // Numbers are only written so from 1e21, which is more places than they have digits.
  return sign + (places < 0 ? `0.${'0'.repeat(-places - 1)}${digits}` : digits.padEnd(places + 1, '0'));
}
