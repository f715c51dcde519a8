import { unitOf, type Decimal, type DimensionField } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import { shiftDecimal } from './decimal-arithmetic.ts';

/** A number and its unit as the trade writes them. */
export interface Measure {
  /** Decimal text with a point. */
  text: string;
  unit: string;
  unitCode: string;
}

/** Below these, in the unit of the interface, the trade uses the smaller unit: 60 mm of tape, 18 g of grommet. */
const SMALLER: Partial<Record<DimensionField, { below: number; unit: string; unitCode: string }>> = {
  length: { below: 2, unit: 'mm', unitCode: 'MMT' },
  width: { below: 1, unit: 'mm', unitCode: 'MMT' },
  height: { below: 1, unit: 'mm', unitCode: 'MMT' },
  weight: { below: 0.1, unit: 'g', unitCode: 'GRM' },
};

/** A dimension in the unit that people expect; the digits stay exactly the same, only the point moves. */
export function measureOf(field: DimensionField, { value, text }: Decimal): Measure {
  const smaller = SMALLER[field];
  if (smaller && value < smaller.below) {
    return { text: shiftDecimal(text, 3), unit: smaller.unit, unitCode: smaller.unitCode };
  }
  const { unit = '', unitCode = '' } = unitOf(field);
  return { text, unit, unitCode };
}

/**
 * The measures of a format, `1.5 m × 50 m`: the width first when there is one, as on rolls, and the length first for
 * boards and pieces, which are named by their longer side. Empty when the product has no size.
 */
export function formatMeasures(product: Pick<ProductEntry, 'length' | 'width' | 'height'>): Measure[] {
  const { length, width, height } = product;
  const isRoll = length !== undefined && length.value > 3;
  const sides = isRoll
    ? ([
        ['width', width],
        ['length', length],
      ] as const)
    : ([
        ['length', length],
        ['width', width],
        ['height', height],
      ] as const);
  return sides.flatMap(([field, decimal]) => (decimal ? [measureOf(field, decimal)] : []));
}
