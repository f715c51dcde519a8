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

/** Share of the family that has the attribute, doubled when its values differ. */
function rankOf(attribute: Attribute, family: readonly Attributed[]): number {
  const values = family.flatMap(({ attributes }) => {
    const same = attributes.find((other) => keyOf(other) === keyOf(attribute));
    return same ? [same.value] : [];
  });
  return (values.length / Math.max(1, family.length)) * (new Set(values).size > 1 ? 2 : 1);
}

function keyOf({ name, norm }: Attribute): string {
  return `${normBase(norm)}|${name}`;
}
