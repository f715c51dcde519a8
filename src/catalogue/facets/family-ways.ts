import { comparePath, filterPath } from '../addresses/paths.ts';
import { MAX_COMPARED } from './compare-rows.ts';

/** Paths of what one can do with the family of a product. */
export interface FamilyWays {
  /** The product beside its neighbours, with room for one that the reader adds. */
  compare: string;
  filter: string;
}

/** @returns Undefined for a product that is alone, or stands on no product group any more. */
export function familyWays({
  product,
  family,
  related,
}: {
  product: { gtin: string; pageLanguage: string; archived?: object | undefined };
  family: { id: string } | undefined;
  related: readonly { gtin: string }[];
}): FamilyWays | undefined {
  const { pageLanguage: language, archived } = product;
  if (!family || archived || related.length === 0) return undefined;
  const chosen = [product, ...related].slice(0, MAX_COMPARED - 1).map((one) => one.gtin);
  return {
    compare: `${comparePath(language, family.id)}?p=${chosen.join(',')}`,
    filter: filterPath(language, family.id),
  };
}
