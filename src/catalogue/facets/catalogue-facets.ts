import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { GROUP_SOURCES, type ProductGroup } from '../site/product-groups.ts';
import type { CatalogueTable } from './family-table.ts';
import { groupCharacteristics } from './group-characteristics.ts';
import type { FacetOptionSummary, FacetSummary } from './group-facets.ts';

/** Maximum number of facets over all families. */
const MAX_FACETS = 10;
/** Maximum number of values offered one by one. */
const MAX_VALUES = 24;
/** Sources that planners ask for first; the others follow by their number of families. */
const FIRST: readonly FacetSummary['source'][] = ['fire', 'width'];

/** Returns the facets that at least two families have, with the values of all families. */
export const catalogueFacets = trackedQuery(
  'catalogueFacets',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups'>, language: string): FacetSummary[] => mergeFacets(site.productGroups(language)),
);

/** Sources that mean something else in each family. */
const LEFT_OUT: readonly FacetSummary['source'][] = ['weight', 'area', 'joint', 'folded'];

export function mergeFacets(groups: readonly Pick<ProductGroup, 'facets' | 'shared'>[]): FacetSummary[] {
  const byId = Map.groupBy(
    groups.flatMap(({ facets, shared }) => [...facets, ...shared]).filter(({ source }) => !LEFT_OUT.includes(source)),
    ({ id }) => id,
  );
  const ranked = [...byId.values()]
    .map((facets) => ({ facet: mergeFacet(facets), families: facets.length }))
    .filter(({ facet, families }) => families > 1 && facet.kind !== 'text' && facet.options.length > 1)
    .toSorted((a, b) => rankOf(a.facet) - rankOf(b.facet) || b.families - a.families);
  return ranked.slice(0, MAX_FACETS).map(({ facet }) => facet);
}

function rankOf({ source }: FacetSummary): number {
  const rank = FIRST.indexOf(source);
  return rank < 0 ? FIRST.length : rank;
}

/** Families use millimetres or metres, grams or kilograms. */
const UNIT_SIZES: Readonly<Record<string, number>> = { m: 1000, kg: 1000 };
const sizeOf = (unit: string): number => UNIT_SIZES[unit] ?? 1;

function mergeFacet(facets: readonly FacetSummary[]): FacetSummary {
  const [first] = facets.toSorted((a, b) => sizeOf(a.unit) - sizeOf(b.unit)) as [FacetSummary];
  const options = new Map<string, FacetOptionSummary>();
  const numbers = new Map<string, number>();
  for (const { unit, options: found } of facets) {
    for (const option of found) {
      const before = options.get(option.id);
      options.set(option.id, { ...option, only: undefined, count: option.count + (before?.count ?? 0) });
      numbers.set(option.id, (option.values[0].low ?? 0) * sizeOf(unit));
    }
  }
  const merged = [...options.values()];
  const isOrdered = merged.every(({ values: [{ low }] }) => low !== undefined);
  const sorted = merged.toSorted((a, b) =>
    isOrdered ? (numbers.get(a.id) ?? 0) - (numbers.get(b.id) ?? 0) : b.count - a.count,
  );
  return { ...first, listed: false, options: first.kind === 'choice' ? sorted.slice(0, MAX_VALUES) : spanOf(sorted) };
}

/** Replaces many numbers by one option from the lowest to the highest. */
function spanOf(options: FacetOptionSummary[]): FacetOptionSummary[] {
  const [low, high] = [options[0], options.at(-1)];
  if (!low || !high || (options.length <= MAX_VALUES && options.every(({ values }) => values.length === 1)))
    return options;
  return [low, { ...high, values: [low.values[0], high.values.at(-1) ?? high.values[0]] }];
}

/** Creates the table of all products for filtering. Products are in the order of the families. */
export function makeCatalogueTable(
  groups: readonly Pick<ProductGroup, 'count' | 'products'>[],
  facets: readonly FacetSummary[],
): CatalogueTable {
  const ids = new Set(facets.map(({ id }) => id));
  const characteristics = groupCharacteristics(groups.flatMap(({ products }) => products));
  return {
    counts: groups.map(({ count }) => count),
    columns: characteristics
      .filter(({ id }) => ids.has(id))
      .map(({ id, kind, values, of }) => ({
        id,
        kind,
        values: values.map(({ id: value, low, high }) => ({ id: value, low, high })),
        of,
      })),
  };
}
