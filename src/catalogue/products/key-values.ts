import { hash } from 'node:crypto';
import { DIMENSION_FIELDS, type DimensionField, type ProductField } from '#contracts/product/index.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { asciiSlug } from '../addresses/slugs.ts';
import { shortSlug } from '../addresses/server-slugs.ts';
import { normBase } from '../norms/norm-base.ts';
import { parseAttributeValue } from '../quantities/attribute-value.ts';
import { toMeasure, type Measure } from '../quantities/measure.ts';

type Attributed = Pick<ProductListEntry, 'attributes' | 'attributeKeys' | 'language'>;
type Attribute = ProductListEntry['attributes'][number];

/**
 * A property that lists show first. It is a norm (`EN 1931`, in any edition), or the key of an attribute, the same in
 * every language (`temperaturbestaendigkeit`). Several names are one property declared under different norms, of which
 * a row shows one value.
 */
export type Highlight = readonly string[];

/** Number of values in a row of a list. */
export const ROW_VALUES = 2;

/**
 * Returns the values that a list shows of a product, in the order of the family's highlights, so that all languages
 * show the same. A range takes precedence over single values of the same highlight, which are its ends or its mean.
 * Values are quoted, never shortened. Results are cached per product.
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
  const declared = product.attributes.flatMap((attribute, index) => {
    const { kind } = parseAttributeValue(attribute.value, attribute.norm, language);
    const named = { norm: attribute.norm, key: product.attributeKeys[index] ?? '' };
    return kind === 'undeclared' ? [] : [{ attribute, named, isRange: kind === 'range' }];
  });
  const chosen = new Set<Attribute>();
  for (const highlight of highlights) {
    if (chosen.size === limit) break;
    const found = highlight
      .flatMap((name) => declared.filter(({ named }) => matchesHighlight(named, name)))
      .filter(({ attribute }) => !chosen.has(attribute));
    const best = found.find(({ isRange }) => isRange) ?? found[0];
    if (best) chosen.add(best.attribute);
  }
  return [...chosen];
}

/** True if a highlight's name matches an attribute by norm or key. */
export function matchesHighlight({ norm, key }: { norm: string; key: string }, name: string): boolean {
  return key === name || (norm !== '' && normBase(norm) === normBase(name));
}

/** Maximum length of automatically highlighted values. Longer ones don't fit into a list. */
const MAX_VALUE_CHARACTERS = 20;

/**
 * Returns the highlights of a family: those named by the assortment, then the attributes declared by most products.
 * Attributes with different values rank higher.
 * @param products Products in the main language, so that every language highlights the same.
 */
export function familyHighlights(products: readonly Attributed[], named: readonly Highlight[]): Highlight[] {
  const tallies = new Map<string, { count: number; value: string; differs: boolean; fits: boolean }>();
  for (const { attributes, attributeKeys } of products) {
    for (const [index, { value }] of attributes.entries()) {
      const key = attributeKeys[index] ?? '';
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

/** Number of products with the attribute, doubled if their values differ. */
function rankOf({ count, differs }: { count: number; differs: boolean }): number {
  return count * (differs ? 2 : 1);
}

interface NamedAttribute {
  name: string;
  norm?: string | null | undefined;
}

/**
 * Returns keys for the attributes of a record that are the same in every language and on every product. Names are
 * translated and may repeat under other norms. Base norm and position within the norm are stable, so the name is taken
 * from the record in the main language: `EN 12311-2`, second -> `en-12311-2-dehnung-laengs-quer`.
 * @param reference Attributes of the same product in the main language, or in its first language.
 */
export function attributeKeys(attributes: readonly NamedAttribute[], reference: readonly NamedAttribute[]): string[] {
  const references = Map.groupBy(reference, ({ norm }) => normBase(norm ?? ''));
  const positions = new Map<string, number>();
  const used = new Map<string, number>();
  return attributes.map((attribute) => {
    const norm = normBase(attribute.norm ?? '');
    const position = positions.get(norm) ?? 0;
    positions.set(norm, position + 1);
    const { name } = references.get(norm)?.[position] ?? attribute;
    const key = norm === '' ? keyOf(name) : `${keyOf(norm)}-${keyOf(name)}`;
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    // Repeated attributes, such as along and across, are numbered in order.
    return times === 1 ? key : `${key}-${times}`;
  });
}

/** Returns keys for materials. They are taken from the reference if both have the same number of materials. */
export function materialKeys(
  materials: readonly { value: string }[],
  reference: readonly { value: string }[],
): string[] {
  const named = materials.length === reference.length ? reference : materials;
  return named.map(({ value }) => keyOf(value));
}

/** Converts a text to a URL segment. A text without Latin letters or digits is hashed. */
function keyOf(text: string): string {
  return shortSlug(asciiSlug(text)) || hash('sha1', text, 'hex').slice(0, 10);
}

interface PackagingField {
  field: ProductField & ('trade_unit' | 'packaging_unit' | 'bundle_unit');
  /** Name of the unit in the language of the record. */
  unit: string;
  /** Number of trade units it contains. Undefined for the trade unit itself. */
  quantity?: string | undefined;
}

/** Returns the dimensions of a product and its packaging units from small to large, without duplicates. */
export function productDimensions(product: ProductEntry): {
  dimensions: { field: DimensionField; measure: Measure }[];
  packaging: PackagingField[];
} {
  const { trade_unit, packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packaging: PackagingField[] = [
    { field: 'trade_unit', unit: trade_unit },
    { field: 'packaging_unit', unit: packaging_unit, quantity: packaging_unit_quantity?.text },
    { field: 'bundle_unit', unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity?.text },
  ];
  return {
    dimensions: DIMENSION_FIELDS.flatMap((field) => {
      const decimal = product[field];
      return decimal ? [{ field, measure: toMeasure(field, decimal) }] : [];
    }),
    packaging: packaging.filter(({ unit }) => unit !== ''),
  };
}
