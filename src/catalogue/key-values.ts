import type { ProductEntry } from '../loaders/entries.ts';
import { normBase } from './norm-base.ts';

type Attribute = ProductEntry['attributes'][number];
type Attributed = Pick<ProductEntry, 'attributes'>;

/** Names and values that fill more than a line don't belong into a list. */
const MAX_NAME_CHARACTERS = 42;
const MAX_VALUE_CHARACTERS = 20;

/**
 * The attributes that tell a product from its neighbours in a list: shared by most of the family, and differing
 * within it. Values are quoted, never shortened: what is too long for a list is left to the product's page.
 */
export function keyValues(product: Attributed, family: readonly Attributed[], limit: number): Attribute[] {
  const ranked = product.attributes
    .filter(({ name, value }) => name.length <= MAX_NAME_CHARACTERS && value.length <= MAX_VALUE_CHARACTERS)
    .map((attribute, position) => ({ attribute, position, rank: rankOf(attribute, family) }))
    .toSorted((a, b) => b.rank - a.rank || a.position - b.position)
    .slice(0, limit);
  return ranked.toSorted((a, b) => a.position - b.position).map(({ attribute }) => attribute);
}

/** How much each attribute of a product tells it from its neighbours: what `keyValues` chooses by. */
export function rankAttributes(product: Attributed, family: readonly Attributed[]): number[] {
  return product.attributes.map((attribute) => rankOf(attribute, family));
}

/** Share of the family that has the attribute, doubled when its values differ. */
function rankOf(attribute: Attribute, family: readonly Attributed[]): number {
  const { count = 0, differs = false } = tallyOf(family).get(keyOf(attribute)) ?? {};
  return (count / Math.max(1, family.length)) * (differs ? 2 : 1);
}

interface Tally {
  /** How many products have the attribute. */
  count: number;
  value: string;
  differs: boolean;
}

const tallies = new WeakMap<readonly Attributed[], Map<string, Tally>>();

/** Counted once for a family: each of its products asks. */
function tallyOf(family: readonly Attributed[]): Map<string, Tally> {
  const known = tallies.get(family);
  if (known) return known;
  const tally = new Map<string, Tally>();
  for (const { attributes } of family) {
    // An attribute that a product names twice counts once, with its first value.
    const first = new Map(attributes.toReversed().map((attribute) => [keyOf(attribute), attribute.value]));
    for (const [key, value] of first) {
      const { count, value: before, differs } = tally.get(key) ?? { count: 0, value, differs: false };
      tally.set(key, { count: count + 1, value: before, differs: differs || before !== value });
    }
  }
  tallies.set(family, tally);
  return tally;
}

function keyOf({ name, norm }: Attribute): string {
  return `${normBase(norm)}|${name}`;
}
