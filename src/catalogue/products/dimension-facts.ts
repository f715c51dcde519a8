import { DIMENSION_FIELDS, type DimensionField, type ProductField } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import { measureOf, type Measure } from '../quantities/measure-of.ts';

export interface PackagingFact {
  field: ProductField & ('trade_unit' | 'packaging_unit' | 'bundle_unit');
  /** Word for the unit, in the language of the record. */
  unit: string;
  /** How many trade units it holds; undefined for the trade unit itself. */
  quantity?: string | undefined;
}

/** Dimensions that apply, and the units from the smallest to the largest; the same unit isn't told twice. */
export function dimensionFacts(product: ProductEntry): {
  dimensions: { field: DimensionField; measure: Measure }[];
  packaging: PackagingFact[];
} {
  const { trade_unit, packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packaging: PackagingFact[] = [
    { field: 'trade_unit', unit: trade_unit },
    { field: 'packaging_unit', unit: packaging_unit, quantity: packaging_unit_quantity?.text },
    { field: 'bundle_unit', unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity?.text },
  ];
  return {
    dimensions: DIMENSION_FIELDS.flatMap((field) => {
      const decimal = product[field];
      return decimal ? [{ field, measure: measureOf(field, decimal) }] : [];
    }),
    packaging: packaging.filter(({ unit }) => unit !== ''),
  };
}
