import { expect, it } from 'vitest';
import { parseNumberInput } from '#catalogue/quantities/number-input.ts';
import { findFieldProblem, type CalculatorField } from './check-field.ts';

const problem = (field: CalculatorField, text: string, widest?: string) =>
  findFieldProblem(field, parseNumberInput(text), { widest })?.reason;

it.each([
  ['area', '150', undefined],
  ['area', '0', 'positive'],
  ['area', '-3', 'positive'],
  ['area', '1.000', 'ambiguous'],
  ['length', '10 000 000', 'positive'],
  ['length', 'none', 'no_number'],
  ['length', '', 'empty'],
  ['allowance', '0', undefined],
  ['allowance', '100', undefined],
  ['allowance', '150', 'percent'],
  ['allowance', '-1', 'percent'],
  ['depth', '0,5', undefined],
] as const)('says of %s %j: %s', (field, text, reason) => expect(problem(field, text)).toBe(reason));

it('refuses a joint that is wider than the product is declared for', () => {
  expect(problem('width', '30', '30')).toBeUndefined();
  expect(problem('width', '30,5', '30')).toBe('joint');
  expect(problem('width', '300')).toBeUndefined();
  // No product declares the depth of joints.
  expect(problem('depth', '40', '30')).toBeUndefined();
});
