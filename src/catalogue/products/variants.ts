import { DIMENSION_FIELDS, type DimensionField } from '#contracts/product/index.ts';
import type { OverlayEntry, ListedEntry } from '#model/entries.ts';

/** Dimensions that lists know. */
const isListed = (field: DimensionField): field is VariantField => field !== 'joint' && field !== 'weight';

/**
 * Which products are formats of the same one: GTIN -> all of them, itself included. Whether they share a name or one
 * of them lists the others, and in which language, comes to the same.
 * @param overlays Ids are `<language>/<gtin>` or `<gtin>`.
 */
export function variantGroups(
  overlays: readonly { id: string; data: Pick<OverlayEntry, 'variants'> }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  const named = new Map<string, string>();
  const join = (left: string, right: string): void => {
    const merged = new Set([...(groups.get(left) ?? [left]), ...(groups.get(right) ?? [right])]);
    for (const gtin of merged) groups.set(gtin, merged);
  };
  for (const { id, data } of overlays) {
    const gtin = id.slice(id.lastIndexOf('/') + 1);
    const { variants = [] } = data;
    if (typeof variants !== 'string') for (const other of variants) join(gtin, other);
    else if (named.has(variants)) join(named.get(variants) ?? gtin, gtin);
    else named.set(variants, gtin);
  }
  return new Map([...groups].map(([gtin, group]) => [gtin, [...group].toSorted()]));
}

type VariantField = DimensionField & keyof ListedEntry;

/** The dimensions that distinguish formats of a product, in the order of the interface. */
export function differingFields(variants: readonly Pick<ListedEntry, VariantField>[]): VariantField[] {
  return DIMENSION_FIELDS.filter(isListed).filter(
    (field) => new Set(variants.map((variant) => variant[field]?.value)).size > 1,
  );
}
