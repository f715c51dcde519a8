import { describe, expect, it } from 'vitest';
import type { DimensionField } from '#contracts/product/index.ts';
import { productMeasures, toMeasure } from './measure.ts';

const decimal = (text: string) => ({ text, value: Number(text) });
const written = ({ text, unit }: { text: string; unit: string }) => `${text} ${unit}`;

describe('measureOf', () => {
  it.each<[DimensionField, string, string]>([
    ['width', '0.06', '60 mm'],
    ['width', '1.5', '1.5 m'],
    ['height', '0.0025', '2.5 mm'],
    ['length', '1.22', '1220 mm'],
    ['length', '50', '50 m'],
    ['weight', '0.018', '18 g'],
    ['weight', '7.40', '7.40 kg'],
    ['joint', '10', '10 mm'],
    ['area', '0.7015', '0.7015 m²'],
  ])('writes a %s of %s as %s', (field, text, expected) => {
    expect(written(toMeasure(field, decimal(text)))).toBe(expected);
  });
});

describe('formatMeasures', () => {
  it('names rolls by width and length, boards by their longer side', () => {
    const roll = { width: decimal('1.5'), length: decimal('50'), height: undefined };
    const board = { length: decimal('1.22'), width: decimal('0.575'), height: decimal('0.16') };
    expect(productMeasures(roll).map(written)).toEqual(['1.5 m', '50 m']);
    expect(productMeasures(board).map(written)).toEqual(['1220 mm', '575 mm', '160 mm']);
  });

  it('is empty for what has no size', () => {
    expect(productMeasures({ length: undefined, width: undefined, height: undefined })).toEqual([]);
  });
});
