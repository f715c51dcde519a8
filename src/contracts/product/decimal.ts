import { z } from 'zod';

/**
 * A number of the product interface. It may travel as a JSON number or as a text with a decimal point
 * (`"25.000"`), so both its value and its text are kept; `text` is what money and declared values are made from.
 */
export interface Decimal {
  value: number;
  text: string;
}

const decimalText = /^-?\d+(\.\d+)?$/;

export const decimal = z
  .union([z.number(), z.string().regex(decimalText, { error: 'is not a number with a decimal point' })], {
    error: 'is neither a number nor a text with a decimal point',
  })
  .transform(toDecimal);

/** @param wire A decimal as it travels; nothing is checked. */
export function toDecimal(wire: number | string): Decimal {
  return { value: Number(wire), text: typeof wire === 'number' ? plainText(wire) : wire };
}

/** Never in exponent form: `1e-7` -> `0.0000001`. */
function plainText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}
