import type { ProductListEntry } from '#model/entries.ts';
import { groupFacets, type Facet, type FacetOption } from './group-facets.ts';

/** A facet without its products, for lists and links. */
export interface FacetSummary extends Omit<Facet, 'options'> {
  options: FacetOptionSummary[];
  /** True if its options have pages. */
  listed: boolean;
}

export interface FacetOptionSummary extends Omit<FacetOption, 'products'> {
  count: number;
  /** Slug of the only product. Links point to its page, and the option has no page. */
  only?: string | undefined;
}

/** Number of facets whose options have pages. The others are available in the filter, where they can be combined. */
const MAX_LISTED = 8;

export function summariseFacets(products: readonly ProductListEntry[]): FacetSummary[] {
  return groupFacets(products).map(({ options, ...facet }, i) => ({
    ...facet,
    listed: i < MAX_LISTED,
    options: options.map(({ products: indexes, ...option }) => ({
      ...option,
      count: indexes.length,
      only: indexes.length === 1 ? products[indexes[0] ?? 0]?.slug : undefined,
    })),
  }));
}
