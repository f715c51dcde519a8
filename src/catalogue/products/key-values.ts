import { hash } from 'node:crypto';
import { DIMENSION_FIELDS, type DimensionField, type ProductField } from '#contracts/product/index.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { asciiSlug } from '../addresses/ascii-slug.ts';
import { shortSlug } from '../addresses/short-slug.ts';
import { normBase } from '../norms/norm-base.ts';
import { attributeValue } from '../quantities/attribute-value.ts';
import { measureOf, type Measure } from '../quantities/measure-of.ts';

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

interface NamedAttribute {
  name: string;
  norm?: string | null | undefined;
}

/**
 * Names the attributes of a record so that the same one is named alike in every language and on every product. Names
 * are translated, and may repeat under other norms; what stays is the base of the norm and the place among the
 * attributes of that norm. With these its name is looked up in the record of the reference, the main language's:
 * `EN 12311-2`, second, -> `en-12311-2-dehnung-laengs-quer`.
 * @param reference Attributes of the same product in the main language, or in the first it has.
 */
export function attributeKeys(attributes: readonly NamedAttribute[], reference: readonly NamedAttribute[]): string[] {
  const references = Map.groupBy(reference, ({ norm }) => normBase(norm ?? ''));
  const places = new Map<string, number>();
  const used = new Map<string, number>();
  return attributes.map((attribute) => {
    const norm = normBase(attribute.norm ?? '');
    const place = places.get(norm) ?? 0;
    places.set(norm, place + 1);
    const { name } = references.get(norm)?.[place] ?? attribute;
    const key = norm === '' ? keyOf(name) : `${keyOf(norm)}-${keyOf(name)}`;
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    // The same twice, such as along and across: distinguished by the order.
    return times === 1 ? key : `${key}-${times}`;
  });
}

/** The same for materials: named by what they are in the reference, as far as both name as many. */
export function materialKeys(
  materials: readonly { value: string }[],
  reference: readonly { value: string }[],
): string[] {
  const named = materials.length === reference.length ? reference : materials;
  return named.map(({ value }) => keyOf(value));
}

/** In letters of an address; what has none of them goes by its digest. */
function keyOf(text: string): string {
  return shortSlug(asciiSlug(text)) || hash('sha1', text, 'hex').slice(0, 10);
}

interface PackagingFact {
  field: ProductField & ('trade_unit' | 'packaging_unit' | 'bundle_unit');
  /** Word for the unit, in the language of the record. */
  unit: string;
  /** How many trade units it holds; undefined for the trade unit itself. */
  quantity?: string | undefined;
}

/** Dimensions that apply, and the units from the smallest to the largest; no unit is repeated. */
export function dimensionFacts(product: ProductEntry): {
  dimensions: { field: DimensionField; measure: Measure }[];
  packaging: PackagingFact[];
} {
  const { trade_unit, packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packaging: PackagingFact[] = [
    { field: 'trade_unit', unit: trade_unit },
    { field: 'packaging_unit', unit: packaging_unit, quantity: packaging_unit_quantity?.text },
    { field: 'bundle_unit', unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity?.text },
  ];
  return {
    dimensions: DIMENSION_FIELDS.flatMap((field) => {
      const decimal = product[field];
      return decimal ? [{ field, measure: measureOf(field, decimal) }] : [];
    }),
    packaging: packaging.filter(({ unit }) => unit !== ''),
  };
}
