import { MAX_COMPARED } from '#catalogue/facets/compare-rows.ts';
import type { TableProduct } from '#catalogue/facets/family-table.ts';

/** Parses `p=9524010000016,9524010000030` or repeated parameters: unique GTINs of products in the table. */
export function chosenProducts(products: readonly Pick<TableProduct, 'gtin'>[], query: URLSearchParams): string[] {
  const known = new Set(products.map(({ gtin }) => gtin));
  const requested = query.getAll('p').flatMap((list) => list.split(','));
  return [...new Set(requested)].filter((gtin) => known.has(gtin)).slice(0, MAX_COMPARED);
}
