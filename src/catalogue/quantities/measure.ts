import { getFieldUnit, type Decimal, type DimensionField } from '#contracts/product/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import { shiftDecimal, divideDecimals } from './decimal-arithmetic.ts';
import { baseLanguage } from '#contracts/localized.ts';

/** A number with the unit that is usual in the trade. */
export interface Measure {
  /** Decimal text with a point. */
  text: string;
  unit: string;
  unitCode: string;
}

/**
 * Thresholds in the unit of the interface, below which the trade uses a smaller unit: 60 mm of tape, 18 g of grommet.
 */
const SMALLER: Partial<Record<DimensionField, { below: number; unit: string; unitCode: string }>> = {
  length: { below: 2, unit: 'mm', unitCode: 'MMT' },
  width: { below: 1, unit: 'mm', unitCode: 'MMT' },
  height: { below: 1, unit: 'mm', unitCode: 'MMT' },
  weight: { below: 0.1, unit: 'g', unitCode: 'GRM' },
};

/** Converts a dimension to the usual unit. Digits are preserved, only the decimal point moves. */
export function toMeasure(field: DimensionField, { value, text }: Decimal): Measure {
  const smaller = SMALLER[field];
  if (smaller && value < smaller.below) {
    return { text: shiftDecimal(text, 3), unit: smaller.unit, unitCode: smaller.unitCode };
  }
  const { unit = '', unitCode = '' } = getFieldUnit(field);
  return { text, unit, unitCode };
}

/**
 * Returns the measures of a format, `1.5 m × 50 m`. Rolls start with the width, boards and pieces with the length.
 * Empty if the product has no size.
 */
export function productMeasures(product: Pick<ProductEntry, 'length' | 'width' | 'height'>): Measure[] {
  const isRoll = product.length !== undefined && product.length.value > 3;
  const fields = isRoll ? (['width', 'length'] as const) : (['length', 'width', 'height'] as const);
  return fields.flatMap((field) => {
    const decimal = product[field];
    return decimal ? [toMeasure(field, decimal)] : [];
  });
}

/** Exact conversion factors (international yard and pound agreement, 1959). */
const UNITS: Record<string, { factor: string; unit: string }> = {
  mm: { factor: '25.4', unit: 'in' },
  m: { factor: '0.3048', unit: 'ft' },
  'm²': { factor: '0.09290304', unit: 'sq ft' },
  kg: { factor: '0.45359237', unit: 'lb' },
  g: { factor: '28.349523125', unit: 'oz' },
};

/**
 * Converts a dimension to inches, feet or pounds, rounded to hundredths. Use it as additional information, never for
 * declared performance. Undefined if the result rounds to zero.
 */
export function imperialMeasure({
  text,
  unit,
}: Pick<Measure, 'text' | 'unit'>): { text: string; unit: string } | undefined {
  const imperial = UNITS[unit];
  const converted = imperial && divideDecimals(text, imperial.factor, 2);
  return !imperial || !converted || Number(converted) === 0 ? undefined : { text: converted, unit: imperial.unit };
}

/** True if imperial measures are shown in a language. @param languages Codes with or without a region. */
export function isImperial(languages: readonly string[], language: string): boolean {
  return languages.includes(language) || languages.includes(baseLanguage(language));
}
