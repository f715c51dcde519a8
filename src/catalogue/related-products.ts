/**
 * Neighbours in the family, beginning behind the product and going round, so that every product of a family is
 * somewhere's neighbour.
 */
export function relatedProducts<T extends { gtin: string }>(family: readonly T[], gtin: string, limit: number): T[] {
  const own = family.findIndex((product) => product.gtin === gtin);
  return [...family.slice(own + 1), ...family.slice(0, Math.max(0, own))].slice(0, limit);
}
