import { isWithinJointWidth, type MaterialNeed } from '#catalogue/quantities/material-need.ts';
import type { ParsedNumber } from '#catalogue/quantities/number-input.ts';
import type { NumberProblem } from '../number-field.ts';

export const CALCULATOR_FIELDS = ['area', 'length', 'width', 'depth', 'allowance'] as const;
export type CalculatorField = (typeof CALCULATOR_FIELDS)[number];

/** Units of the fields, which users may also type after the number. */
export const FIELD_UNITS = {
  area: 'm²',
  length: 'm',
  width: 'mm',
  depth: 'mm',
  allowance: '%',
} as const satisfies Record<CalculatorField, string>;

/** Upper limit of all amounts. */
const MAX_AMOUNT = 9_999_999;

/** Returns the problem with the value of a field; undefined if it is usable. */
export function findFieldProblem(
  field: CalculatorField,
  reading: ParsedNumber,
  need: Pick<MaterialNeed, 'widest'>,
): NumberProblem | undefined {
  if (!reading.ok) return reading;
  const value = Number(reading.text);
  if (field === 'allowance') return value >= 0 && value <= 100 ? undefined : { reason: 'percent' };
  if (value <= 0 || value > MAX_AMOUNT) return { reason: 'positive', max: String(MAX_AMOUNT) };
  const isTooWide = field === 'width' && !isWithinJointWidth(need, { width: reading.text });
  return isTooWide ? { reason: 'joint', limit: need.widest ?? '' } : undefined;
}
