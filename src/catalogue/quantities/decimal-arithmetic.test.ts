import { describe, expect, it } from 'vitest';
import { divideDecimals, multiplyDecimals, roundDecimal, shiftDecimal } from './decimal-arithmetic.ts';

describe('decimal arithmetic', () => {
  it('multiplies without the errors of floats', () => {
    expect(multiplyDecimals('1.005', '100', 2)).toBe('100.50');
    expect(multiplyDecimals('24.90', '1.19', 2)).toBe('29.63');
    expect(multiplyDecimals('-2', '0.5', 0)).toBe('-1');
  });

  it('divides, rounding half away from zero', () => {
    expect(divideDecimals('24.9', '25', 2)).toBe('1.00');
    expect(divideDecimals('1', '8', 2)).toBe('0.13');
    expect(divideDecimals('-1', '8', 2)).toBe('-0.13');
    expect(divideDecimals('1', '0.00', 2)).toBeUndefined();
  });

  it('rounds and fills up', () => {
    expect(roundDecimal('2.675', 2)).toBe('2.68');
    expect(roundDecimal('3', 2)).toBe('3.00');
    expect(roundDecimal('0.004', 2)).toBe('0.00');
  });

  it('moves the point and keeps every digit', () => {
    expect(shiftDecimal('0.0575', 3)).toBe('57.5');
    expect(shiftDecimal('1.22', 3)).toBe('1220');
    expect(shiftDecimal('0.06', 3)).toBe('60');
    expect(shiftDecimal('25.000', 0)).toBe('25.000');
  });
});
