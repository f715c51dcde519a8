import type { ProductEntry } from '../../loaders/entries.ts';
import { normBase } from '../norms/norm-base.ts';

type Attribute = ProductEntry['attributes'][number];
type Attributed = Pick<ProductEntry, 'attributes'>;

/** Which attributes the products of a family have. */
export interface AttributeTally {
  /** How many products there are. */
  size: number;
  /** Norm and name -> how many have it, and whether their values differ. */
  attributes: Record<string, { count: number; value: string; differs: boolean }>;
}

/** Names and values that fill more than a line don't belong into a list. */
const MAX_NAME_CHARACTERS = 42;
const MAX_VALUE_CHARACTERS = 20;
/** Values that a row of a list shows. */
const ROW_VALUES = 2;

/**
 * The attributes that tell a product from its neighbours in a list: shared by most of the family, and differing
 * within it. Values are quoted, never shortened: what is too long for a list is left to the product's page. A product
 * that stands on several lists of its family is looked at once.
 */
export function keyValues(product: Attributed, family: AttributeTally, limit = ROW_VALUES): readonly Attribute[] {
  const found = known.get(product);
  if (found?.family === family && found.limit === limit) return found.values;
  const values = chooseValues(product, family, limit);
  known.set(product, { family, limit, values });
  return values;
}

const known = new WeakMap<Attributed, { family: AttributeTally; limit: number; values: readonly Attribute[] }>();

function chooseValues(product: Attributed, family: AttributeTally, limit: number): Attribute[] {
  const ranked = product.attributes
    .filter(({ name, value }) => name.length <= MAX_NAME_CHARACTERS && value.length <= MAX_VALUE_CHARACTERS)
    .map((attribute, position) => ({ attribute, position, rank: rankOf(attribute, family) }))
    .toSorted((a, b) => b.rank - a.rank || a.position - b.position)
    .slice(0, limit);
  return ranked.toSorted((a, b) => a.position - b.position).map(({ attribute }) => attribute);
}

/** Counts the attributes of a family: what `keyValues` chooses by. */
export function tallyAttributes(family: readonly Attributed[]): AttributeTally {
  const attributes: AttributeTally['attributes'] = {};
  for (const product of family) {
    // An attribute that a product names twice counts once, with its first value.
    const first = new Map(product.attributes.toReversed().map((attribute) => [keyOf(attribute), attribute.value]));
    for (const [key, value] of first) {
      const { count, value: before, differs } = attributes[key] ?? { count: 0, value, differs: false };
      attributes[key] = { count: count + 1, value: before, differs: differs || before !== value };
    }
  }
  return { size: family.length, attributes };
}

/** Share of the family that has the attribute, doubled when its values differ. */
function rankOf(attribute: Attribute, { size, attributes }: AttributeTally): number {
  const { count = 0, differs = false } = attributes[keyOf(attribute)] ?? {};
  return (count / Math.max(1, size)) * (differs ? 2 : 1);
}

function keyOf({ name, norm }: Attribute): string {
  return `${normBase(norm)}|${name}`;
}
