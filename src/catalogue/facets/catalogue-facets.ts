import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { GROUP_SOURCES, type ProductGroup } from '../site/product-groups.ts';
import type { CatalogueTable } from './family-table.ts';
import { groupCharacteristics, type Characteristic } from './group-characteristics.ts';
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
    groups
      .flatMap(({ facets, shared }) => [...facets, ...shared])
      .filter(({ kind, source }) => kind !== 'text' && !LEFT_OUT.includes(source)),
    ({ id }) => id,
  );
  const ranked = [...byId.values()]
    .filter(hasOneUnit)
    .map((facets) => ({ facet: mergeFacet(facets), families: facets.length }))
    .filter(({ facet, families }) => families > 1 && facet.options.length > 1)
    .toSorted((a, b) => rankOf(a.facet) - rankOf(b.facet) || b.families - a.families);
  return ranked.slice(0, MAX_FACETS).map(({ facet }) => facet);
}

function rankOf({ source }: FacetSummary): number {
  const rank = FIRST.indexOf(source);
  return rank < 0 ? FIRST.length : rank;
}

/** False for an attribute in several units, whose numbers can't be compared. Units of dimensions are converted. */
function hasOneUnit(facets: readonly FacetSummary[]): boolean {
  const [first] = facets;
  return facets.every(
    ({ source, kind, unit }) => source !== 'attribute' || (kind === first?.kind && unit === first.unit),
  );
}

/** Families use millimetres or metres, grams or kilograms. */
const UNIT_SIZES: Readonly<Record<string, number>> = { m: 1000, kg: 1000 };
const sizeOf = (unit: string): number => UNIT_SIZES[unit] ?? 1;

/** Returns the facets that a family gives in a unit a thousand times as large as the list of all products. */
export function largerUnits(
  { facets }: Pick<ProductGroup, 'facets'>,
  merged: readonly Pick<FacetSummary, 'id' | 'unit'>[],
): string[] {
  return merged.flatMap(({ id, unit }) => {
    const own = facets.find((facet) => facet.id === id);
    return own && sizeOf(own.unit) > sizeOf(unit) ? id : [];
  });
}

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
  groups: readonly Pick<ProductGroup, 'count' | 'products' | 'version'>[],
  facets: readonly FacetSummary[],
): CatalogueTable {
  const columns = facets.map(columnJoiner);
  // Reads the products of each family once, because memory holds few families.
  for (const { products } of groups) {
    const characteristics = groupCharacteristics(products);
    for (const { add } of columns) add(characteristics, products.length);
  }
  return {
    counts: groups.map(({ count }) => count),
    version: groups.map(({ version }) => version).join(' '),
    columns: columns.map(({ column }) => column),
  };
}

/** Joins the values of families, in the unit of the facet. */
function columnJoiner({ id, source, kind, unit }: FacetSummary) {
  const column: CatalogueTable['columns'][number] = { id, kind, values: [], of: [] };
  const positions = new Map<string, number>();
  const positionOf = (value: (typeof column.values)[number]): number => {
    const key = JSON.stringify(value);
    const position = positions.get(key) ?? column.values.push(value) - 1;
    positions.set(key, position);
    return position;
  };
  const add = (characteristics: readonly Characteristic[], count: number): void => {
    const found = characteristics.find((one) => one.id === id && one.kind === kind);
    if (!found || (source === 'attribute' && found.unit !== unit)) {
      for (let product = 0; product < count; product++) column.of.push([]);
      return;
    }
    const factor = sizeOf(found.unit) / sizeOf(unit);
    const convert = (number: number | undefined) => number && Number((number * factor).toPrecision(12));
    const joined = found.values.map(({ id: value, low, high }) =>
      positionOf({ id: value, low: convert(low), high: convert(high) }),
    );
    for (const indexes of found.of) column.of.push(indexes.flatMap((index) => joined[index] ?? []));
  };
  return { column, add };
}
