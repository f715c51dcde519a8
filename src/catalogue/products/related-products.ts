/**
 * Neighbours in the family, beginning behind the product and going round, so that every product of a family is
 * somewhere's neighbour.
 */
export function relatedProducts<T extends { gtin: string }>(family: readonly T[], gtin: string, limit: number): T[] {
  const own = placesIn(family).get(gtin) ?? -1;
  const behind = family.slice(own + 1, own + 1 + limit);
  return [...behind, ...family.slice(0, Math.max(0, Math.min(own, limit - behind.length)))];
}

const places = new WeakMap<readonly object[], Map<string, number>>();

/** Looked up once for a family: each of its products asks. */
function placesIn(family: readonly { gtin: string }[]): Map<string, number> {
  const known = places.get(family) ?? new Map(family.map(({ gtin }, place) => [gtin, place]));
  places.set(family, known);
  return known;
}
