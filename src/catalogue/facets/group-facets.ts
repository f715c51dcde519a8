import type { ListedEntry } from '#model/entries.ts';
import type { Characteristic, CharacteristicValue } from './characteristic.ts';
import { groupCharacteristics, type Characterised } from './group-characteristics.ts';

/** A characteristic that one can choose by, because it divides the family. */
export interface Facet extends Pick<Characteristic, 'id' | 'source' | 'name' | 'norm' | 'unit' | 'kind'> {
  options: FacetOption[];
}

export interface FacetOption {
  /** The same in every language; the last part of the address. */
  id: string;
  /** The value; for a span of numbers the lowest and the highest of its values. */
  values: [CharacteristicValue] | [CharacteristicValue, CharacteristicValue];
  /** Places of the products on the product group. */
  products: number[];
}

/** Above it, numbers are gathered into spans. */
const MAX_NUMBERS = 12;
const SPANS = 6;
/** Classes and materials beyond these are left to the search. */
const MAX_CHOICES = 40;

const known = new WeakMap<readonly Characterised[], Facet[]>();

/** The facets of a product group, the most useful first. The same list is read once. */
export function groupFacets(products: readonly Characterised[]): Facet[] {
  const found = known.get(products) ?? findFacets(products);
  known.set(products, found);
  return found;
}

/** Products of a product group that have a value; undefined when there is no such value to choose. */
export function chosenProducts(
  products: readonly ListedEntry[],
  { facet, option }: { facet: string; option: string },
): ListedEntry[] | undefined {
  const found = groupFacets(products).find(({ id }) => id === facet);
  const chosen = found?.options.find(({ id }) => id === option);
  return chosen?.products.flatMap((place) => products[place] ?? []);
}

function findFacets(products: readonly Characterised[]): Facet[] {
  const found = groupCharacteristics(products).flatMap((characteristic, position) => {
    const { id, source, name, norm, unit, kind } = characteristic;
    if (kind === 'text') return [];
    const options = optionsOf(characteristic).filter(({ products: some }) => some.length < products.length);
    if (options.length === 0 || (kind === 'number' && options.length < 2)) return [];
    const covered = characteristic.of.filter((places) => places.length > 0).length;
    return {
      facet: { id, source, name, norm, unit, kind, options },
      rank: [ORDER.indexOf(source), -covered, position],
    };
  });
  return found.toSorted((a, b) => compareRanks(a.rank, b.rank)).map(({ facet }) => facet);
}

/** What people choose by first. */
const ORDER: readonly Characteristic['source'][] = [
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
  for (const [product, places] of characteristic.of.entries()) {
    for (const place of places) {
      const value = characteristic.values[place];
      if (value?.id === undefined) continue;
      const option = options.get(value.id) ?? { id: value.id, values: [value], products: [] };
      options.set(value.id, option);
      if (option.products.at(-1) !== product) option.products.push(product);
    }
  }
  const found = [...options.values()];
  if (characteristic.kind === 'number') return inSpans(found.toSorted(byNumber));
  if (found.every(({ values: [{ low }] }) => low !== undefined)) return found.toSorted(byNumber);
  return found.toSorted((a, b) => b.products.length - a.products.length).slice(0, MAX_CHOICES);
}

function byNumber({ values: [a] }: FacetOption, { values: [b] }: FacetOption): number {
  return (a.low ?? 0) - (b.low ?? 0) || (a.high ?? 0) - (b.high ?? 0);
}

/** Many numbers become a few spans with about as many products each, from one declared value to another. */
function inSpans(options: FacetOption[]): FacetOption[] {
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
