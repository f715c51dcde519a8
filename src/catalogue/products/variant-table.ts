import { DIMENSION_FIELDS, type DimensionField } from '#contracts/product/index.ts';
import type { ListedEntry } from '#model/entries.ts';

type VariantField = DimensionField & keyof ListedEntry;

/** Dimensions that lists know. */
const isListed = (field: DimensionField): field is VariantField => field !== 'joint' && field !== 'weight';

/** The dimensions that tell formats of a product apart, in the order of the interface. */
export function differingFields(variants: readonly Pick<ListedEntry, VariantField>[]): VariantField[] {
  return DIMENSION_FIELDS.filter(isListed).filter(
    (field) => new Set(variants.map((variant) => variant[field]?.value)).size > 1,
  );
}
