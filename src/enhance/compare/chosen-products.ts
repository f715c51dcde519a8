import { MAX_COMPARED } from '#catalogue/facets/compare-rows.ts';
import type { TableProduct } from '#catalogue/facets/family-table.ts';

/** Reads `p=9524010000016,9524010000030`, or the name given again: GTINs of products in the table, each once. */
export function chosenProducts(products: readonly Pick<TableProduct, 'gtin'>[], query: URLSearchParams): string[] {
  const known = new Set(products.map(({ gtin }) => gtin));
  const asked = query.getAll('p').flatMap((list) => list.split(','));
  return [...new Set(asked)].filter((gtin) => known.has(gtin)).slice(0, MAX_COMPARED);
}
