import { MAX_COMPARED } from '../../catalogue/facets/compare-rows.ts';
import type { TableProduct } from '../../catalogue/facets/family-table.ts';

/** Reads `p=9524010000016,9524010000030`, or the name given again: places of the products in the table, each once. */
export function chosenPlaces(products: readonly Pick<TableProduct, 'gtin'>[], query: URLSearchParams): number[] {
  const gtins = query.getAll('p').flatMap((list) => list.split(','));
  const places = gtins.map((gtin) => products.findIndex((product) => product.gtin === gtin));
  return [...new Set(places.filter((place) => place >= 0))].slice(0, MAX_COMPARED);
}
