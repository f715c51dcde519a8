import type { ListedEntry } from '#model/entries.ts';
import { groupFacets, type Facet, type FacetOption } from './group-facets.ts';

/** A facet as lists and links know it, without its products. */
export interface FacetSummary extends Omit<Facet, 'options'> {
  options: FacetOptionSummary[];
  /** Whether its values have lists of their own. */
  listed: boolean;
}

export interface FacetOptionSummary extends Omit<FacetOption, 'products'> {
  count: number;
  /** Slug of the product, where there is but one: links lead to its page, and no list is made of it. */
  only?: string | undefined;
}

/** Facets whose values have lists; the others are for the filter, where they can be combined. */
const MAX_LISTED = 8;

export function summariseFacets(products: readonly ListedEntry[]): FacetSummary[] {
  return groupFacets(products).map(({ options, ...facet }, i) => ({
    ...facet,
    listed: i < MAX_LISTED,
    options: options.map(({ products: places, ...option }) => ({
      ...option,
      count: places.length,
      only: places.length === 1 ? products[places[0] ?? 0]?.slug : undefined,
    })),
  }));
}
