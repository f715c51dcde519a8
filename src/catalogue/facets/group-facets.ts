import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { USE_FIELDS } from '../products/uses.ts';
import { cacheByObject } from '../cache.ts';
import {
  type Characteristic,
  type CharacteristicValue,
  groupCharacteristics,
  type CharacteristicInput,
} from './group-characteristics.ts';

/** A characteristic that divides the family, so that visitors can filter by it. */
export interface Facet extends Pick<Characteristic, 'id' | 'source' | 'name' | 'norm' | 'unit' | 'kind' | 'type'> {
  options: FacetOption[];
}

export interface FacetOption {
  /** Same in every language. Used as the last URL segment. */
  id: string;
  /** The value, or the lowest and the highest value of a span of numbers. */
  values: [CharacteristicValue] | [CharacteristicValue, CharacteristicValue];
  products: number[];
}

/** Maximum number of numeric options before they are grouped into spans. */
const MAX_NUMBERS = 12;
const SPANS = 6;
/** Maximum number of classes or materials. The search finds the rest. */
const MAX_CHOICES = 40;

/** Returns the products that have an option. Undefined if the option doesn't exist. */
export function filterByFacet(
  products: readonly ProductListEntry[],
  { facet, option }: { facet: string; option: string },
): ProductListEntry[] | undefined {
  const found = groupFacets(products).find(({ id }) => id === facet);
  const chosen = found?.options.find(({ id }) => id === option);
  return chosen?.products.flatMap((index) => products[index] ?? []);
}

/** Returns the facets of a product group, the most useful first. Results are cached per list. */
export const groupFacets = cacheByObject((products: readonly CharacteristicInput[]): Facet[] => {
  const found = groupCharacteristics(products).flatMap((characteristic, position) => {
    const { id, source, name, norm, unit, kind, type } = characteristic;
    if (kind === 'text') return [];
    const options = optionsOf(characteristic).filter(({ products: some }) => some.length < products.length);
    if (options.length === 0 || (kind === 'number' && options.length < 2)) return [];
    const covered = characteristic.of.filter((values) => values.length > 0).length;
    return {
      facet: { id, source, name, norm, unit, kind, type, options },
      rank: [ORDER.indexOf(source), -covered, position],
    };
  });
  return found.toSorted((a, b) => compareRanks(a.rank, b.rank)).map(({ facet }) => facet);
});

/** Maximum number of values shown as shared. */
const MAX_SHARED = 5;
/** Sources of shared values. Others, such as the availability, change too often to describe the family. */
const SHARED_SOURCES = new Set<Characteristic['source']>(['fire', 'attribute', 'width', 'height', 'length']);

/** Returns the values that all products share, each as a facet with one option. A single product shares none. */
export function sharedValues(products: readonly CharacteristicInput[]): FacetSummary[] {
  if (products.length < 2) return [];
  const found = groupCharacteristics(products).flatMap((characteristic, position) => {
    const { id, source, name, norm, unit, kind, values, of } = characteristic;
    if (!SHARED_SOURCES.has(source) || of.some((indexes) => indexes.length === 0)) return [];
    const [value, ...others] = values;
    if (!value || others.some((other) => (other.id ?? other.text) !== (value.id ?? value.text))) return [];
    const option = { id: value.id ?? '', values: [value] as [CharacteristicValue], count: products.length };
    const facet = { id, source, name, norm, unit, kind, listed: false, options: [option] };
    return { facet, rank: [ORDER.indexOf(source), position] };
  });
  return found
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ facet }) => facet)
    .slice(0, MAX_SHARED);
}

/** Facets by importance to visitors. */
const ORDER: readonly Characteristic['source'][] = [
  ...USE_FIELDS,
  'field',
  'materials',
  'fire',
  'width',
  'height',
  'availability',
  'attribute',
  'documents',
  'joint',
  'length',
  'area',
  'weight',
  'folded',
];

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((rank, i) => rank !== b[i]);
  return differing < 0 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

function optionsOf(characteristic: Characteristic): FacetOption[] {
  const options = new Map<string, FacetOption>();
  for (const [product, indexes] of characteristic.of.entries()) {
    for (const index of indexes) {
      const value = characteristic.values[index];
      if (value?.id === undefined) continue;
      const option = options.get(value.id) ?? { id: value.id, values: [value], products: [] };
      options.set(value.id, option);
      if (option.products.at(-1) !== product) option.products.push(product);
    }
  }
  const found = [...options.values()];
  if (characteristic.kind === 'number') return groupIntoSpans(found.toSorted(byNumber));
  if (found.every(({ values: [{ low }] }) => low !== undefined)) return found.toSorted(byNumber);
  return found.toSorted((a, b) => b.products.length - a.products.length).slice(0, MAX_CHOICES);
}

function byNumber({ values: [a] }: FacetOption, { values: [b] }: FacetOption): number {
  return (a.low ?? 0) - (b.low ?? 0) || (a.high ?? 0) - (b.high ?? 0);
}

/** Groups many numbers into spans with similar numbers of products. Spans start and end at declared values. */
function groupIntoSpans(options: FacetOption[]): FacetOption[] {
  if (options.length <= MAX_NUMBERS) return options;
  const total = options.reduce((sum, { products }) => sum + products.length, 0);
  let before = 0;
  const spans = Map.groupBy(options, ({ products }) => {
    const span = Math.min(SPANS - 1, Math.floor((before * SPANS) / total));
    before += products.length;
    return span;
  });
  return [...spans.values()].flatMap((span): FacetOption | [] => {
    const [first, last] = [span[0], span.at(-1)];
    if (!first || !last) return [];
    if (first === last) return first;
    return {
      id: `from-${first.id}-to-${last.id}`,
      values: [first.values[0], last.values[0]],
      products: [...new Set(span.flatMap(({ products }) => products))].toSorted((a, b) => a - b),
    };
  });
}

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
