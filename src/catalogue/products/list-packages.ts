import type { ProductListEntry } from '#model/entries.ts';

export type PackagedProduct = Pick<
  ProductListEntry,
  'trade_unit' | 'packaging_unit' | 'packaging_unit_quantity' | 'bundle_unit' | 'bundle_unit_quantity'
>;

export interface Package {
  field: 'packaging_unit' | 'bundle_unit';
  /** Name of the unit in the language of the record. */
  unit: string;
  /** Number of trade units, as decimal text. */
  quantity: string;
}

/** Returns the packaging units of a product from small to large, without duplicates. */
export function listPackages(product: PackagedProduct): Package[] {
  const { packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packages = [
    { field: 'packaging_unit' as const, unit: packaging_unit, quantity: packaging_unit_quantity },
    { field: 'bundle_unit' as const, unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity },
  ];
  return packages.flatMap(({ field, unit, quantity }) =>
    unit !== '' && quantity && quantity.value > 1 ? [{ field, unit, quantity: quantity.text }] : [],
  );
}
