import type { ListedEntry } from '#model/entries.ts';
import { normBase } from '../norms/norm-base.ts';
import { attributeValue } from '../quantities/attribute-value.ts';

type Attributed = Pick<ListedEntry, 'attributes' | 'attributeKeys' | 'language'>;
type Attribute = ListedEntry['attributes'][number];

/**
 * What lists show of a product before anything else: a norm (`EN 1931`, whichever its prefix and edition), or the key
 * of an attribute, the same in every language (`temperaturbestaendigkeit`). Several of them are one property that
 * products declare under different norms: a row shows one value of them.
 */
export type Highlight = readonly string[];

/** Values that a row of a list shows. */
export const ROW_VALUES = 2;

/**
 * The values that a list shows of a product, in the order of the family's highlights, so that they are the same in
 * every language. Of the values under one highlight a range goes first: the single value beside it is one end or the
 * mean of it. Values are quoted, never shortened. A product that stands on several lists is looked at once.
 */
export function keyValues(
  product: Attributed,
  highlights: readonly Highlight[],
  limit = ROW_VALUES,
): readonly Attribute[] {
  const found = known.get(product);
  if (found?.highlights === highlights && found.limit === limit) return found.values;
  const values = chooseValues(product, highlights, limit);
  known.set(product, { highlights, limit, values });
  return values;
}

const known = new WeakMap<
  Attributed,
  { highlights: readonly Highlight[]; limit: number; values: readonly Attribute[] }
>();

function chooseValues(product: Attributed, highlights: readonly Highlight[], limit: number): Attribute[] {
  const { language } = product;
  const declared = product.attributes.flatMap((attribute, place) => {
    const { kind } = attributeValue(attribute.value, attribute.norm, language);
    const named = { norm: attribute.norm, key: product.attributeKeys[place] ?? '' };
    return kind === 'undeclared' ? [] : [{ attribute, named, isRange: kind === 'range' }];
  });
  const chosen = new Set<Attribute>();
  for (const highlight of highlights) {
    if (chosen.size === limit) break;
    const found = highlight
      .flatMap((name) => declared.filter(({ named }) => isNamed(named, name)))
      .filter(({ attribute }) => !chosen.has(attribute));
    const best = found.find(({ isRange }) => isRange) ?? found[0];
    if (best) chosen.add(best.attribute);
  }
  return [...chosen];
}

/** Whether a highlight means an attribute of this norm and key. */
export function isNamed({ norm, key }: { norm: string; key: string }, name: string): boolean {
  return key === name || (norm !== '' && normBase(norm) === normBase(name));
}

/** A value that fills more than a line doesn't belong into a list, unless somebody asks for it. */
const MAX_VALUE_CHARACTERS = 20;

/**
 * Highlights of a family: those that the assortment names, and behind them what most of its products declare, first
 * that in which they differ.
 * @param products Of the main language, so that every language highlights the same.
 */
export function familyHighlights(products: readonly Attributed[], named: readonly Highlight[]): Highlight[] {
  const tallies = new Map<string, { count: number; value: string; differs: boolean; fits: boolean }>();
  for (const { attributes, attributeKeys } of products) {
    for (const [place, { value }] of attributes.entries()) {
      const key = attributeKeys[place] ?? '';
      const tally = tallies.get(key) ?? { count: 0, value, differs: false, fits: true };
      tally.count += 1;
      tally.differs ||= tally.value !== value;
      tally.fits &&= value.length <= MAX_VALUE_CHARACTERS;
      tallies.set(key, tally);
    }
  }
  const shared = [...tallies].filter(([key, { fits }]) => key !== '' && fits);
  const ranked = shared.toSorted(([, a], [, b]) => rankOf(b) - rankOf(a)).map(([key]): Highlight => [key]);
  return [...named, ...ranked];
}

/** How many products have it, doubled when their values differ. */
function rankOf({ count, differs }: { count: number; differs: boolean }): number {
  return count * (differs ? 2 : 1);
}
