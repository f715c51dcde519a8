import { hash } from 'node:crypto';
import type { FieldView, ProductListEntry } from '#catalogue/entries/entries.ts';
import { asciiSlug } from '../addresses/slugs.ts';
import { shortSlug } from '../addresses/server-slugs.ts';
import { normBase } from '../norms/norm-base.ts';
import { parseAttributeValue } from '../quantities/attribute-value.ts';
import { fieldKey, fieldsIn } from './product-fields.ts';

type Attributed = Pick<ProductListEntry, 'attributes' | 'attributeKeys' | 'language'>;
type Listed = Attributed & Pick<ProductListEntry, 'fieldViews'>;
type Attribute = ProductListEntry['attributes'][number];

/**
 * A property that lists show first. It is a norm (`EN 1931`, in any edition), or the key of an attribute, the same in
 * every language (`temperaturbestaendigkeit`). Several names are one property declared under different norms, of which
 * a row shows one value.
 */
export type Highlight = readonly string[];

/** Number of values in a row of a list. */
const ROW_VALUES = 2;

/**
 * Returns the values that a list shows of a product, in the order of the family's highlights, so that all languages
 * show the same. A range takes precedence over single values of the same highlight, which are its ends or its mean.
 * Values are quoted, never shortened.
 */
export function keyValues(product: Attributed, highlights: readonly Highlight[], limit = ROW_VALUES): Attribute[] {
  const { attributes, attributeKeys: keys, language } = product;
  const chosen = new Set<Attribute>();
  for (const highlight of highlights) {
    if (chosen.size === limit) break;
    const declared = highlight
      .flatMap((name) =>
        attributes.filter(({ norm }, index) => matchesHighlight({ norm, key: keys[index] ?? '' }, name)),
      )
      .filter((attribute) => !chosen.has(attribute))
      .map((attribute) => ({ attribute, kind: parseAttributeValue(attribute.value, attribute.norm, language).kind }))
      .filter(({ kind }) => kind !== 'undeclared');
    const best = declared.find(({ kind }) => kind === 'range') ?? declared[0];
    if (best) chosen.add(best.attribute);
  }
  return [...chosen];
}

/** True if a highlight's name matches an attribute by norm or key. */
export function matchesHighlight({ norm, key }: { norm: string; key: string }, name: string): boolean {
  return key === name || (norm !== '' && normBase(norm) === normBase(name));
}

/** Maximum number of value columns in a list of one family. */
const MAX_COLUMNS = 3;

/** A column of a family's lists: one property, declared under these keys. */
export interface ListColumn {
  keys: Highlight;
  /** Name that most products declare, with its language. Undefined is that of the page. */
  name: string;
  language: string | undefined;
  /** Norms without edition. */
  norms: string[];
  /** Unit of the values. Empty if they have none or several. */
  unit: string;
}

/**
 * Returns the columns of a family's lists in a language: those of `product.fields`, then declared properties. Values that
 * all products share distinguish none and are omitted, unless there are no others.
 * @param highlights Highlights by key, the same in every language.
 */
export function listColumns(products: readonly Listed[], highlights: readonly Highlight[]): ListColumn[] {
  const further = fieldColumns(products);
  const distinct: ListColumn[] = [];
  const shared: ListColumn[] = [];
  for (const keys of highlights) {
    if (further.length + distinct.length >= MAX_COLUMNS) break;
    const declared = products.flatMap(({ attributes, attributeKeys: found, language }) =>
      attributes.flatMap((attribute, i) => (keys.includes(found[i] ?? '') ? { ...attribute, language } : [])),
    );
    const names = [...Map.groupBy(declared, ({ name }) => name).values()].toSorted((a, b) => b.length - a.length);
    const head = names[0]?.[0];
    if (!head) continue;
    const units = new Set(declared.map((attribute) => unitOf(attribute, attribute.language)));
    units.delete(undefined);
    const norms = new Set(declared.map(({ norm }) => normBase(norm)).filter(Boolean));
    const [unit = ''] = units.size === 1 ? units : [];
    const isShared =
      products.length > 1 && declared.length === products.length && declared.every(({ value }) => value === head.value);
    (isShared ? shared : distinct).push({ keys, name: head.name, language: head.language, norms: [...norms], unit });
  }
  const left = Math.max(0, MAX_COLUMNS - further.length);
  return [...further, ...(distinct.length > 0 ? distinct : shared.slice(0, left))];
}

function fieldColumns(products: readonly Listed[]): ListColumn[] {
  const columns = new Map<string, ListColumn>();
  for (const product of products)
    for (const { field, label: name, unit } of fieldsIn(product, 'list'))
      columns.set(field, { keys: [fieldKey(field)], name, language: undefined, norms: [], unit });
  return [...columns.values()];
}

/**
 * Returns the value of each column, with its norm if the column has several. Undefined if the product declares none.
 * @param formatField Formats a value of `product.fields`.
 */
export function columnValues(
  product: Listed,
  columns: readonly Pick<ListColumn, 'keys' | 'norms'>[],
  formatField: (view: FieldView) => string,
) {
  return columns.map(({ keys, norms }) => {
    const view = product.fieldViews?.find(({ field }) => keys.includes(fieldKey(field)));
    if (view) return { value: formatField(view), norm: '' };
    const [found] = keyValues(product, [keys], 1);
    return found && { value: found.value, norm: norms.length > 1 ? normBase(found.norm) : '' };
  });
}

/** Returns the unit of a value. Undefined if nothing is declared. */
function unitOf({ value, norm }: Attribute, language: string): string | undefined {
  const parsed = parseAttributeValue(value, norm, language);
  if (parsed.kind === 'undeclared') return undefined;
  return 'unit' in parsed ? parsed.unit : '';
}

/** Maximum length of automatically highlighted values. Longer ones don't fit into a list. */
const MAX_VALUE_CHARACTERS = 20;

/**
 * Returns the highlights of a family by key: those named by the assortment, then the attributes declared by most
 * products. Attributes with different values rank higher.
 * @param products Products in the main language, so that every language highlights the same.
 */
export function familyHighlights(products: readonly Attributed[], named: readonly Highlight[]): Highlight[] {
  const tallies = new Map<string, KeyTally>();
  for (const { attributes, attributeKeys, language } of products) {
    for (const [index, attribute] of attributes.entries()) {
      const { norm, value } = attribute;
      const key = attributeKeys[index] ?? '';
      const tally = tallies.get(key) ?? {
        norm,
        unit: unitOf(attribute, language),
        count: 0,
        value,
        differs: false,
        fits: true,
      };
      tally.count += 1;
      tally.differs ||= tally.value !== value;
      tally.fits &&= value.length <= MAX_VALUE_CHARACTERS;
      tallies.set(key, tally);
    }
  }
  tallies.delete('');
  const chosen: string[][] = [];
  for (const names of named) {
    const keys = resolveKeys(names, tallies);
    chosen.push(keys.filter((key) => !chosen.flat().includes(key)));
  }
  const used = new Set(chosen.flat());
  const ranked = [...tallies]
    .filter(([key, { fits }]) => fits && !used.has(key))
    .toSorted(([, a], [, b]) => rankOf(b) - rankOf(a))
    .map(([key]) => [key]);
  return [...chosen, ...ranked].filter((keys) => keys.length > 0);
}

interface KeyTally {
  norm: string;
  unit: string | undefined;
  count: number;
  value: string;
  differs: boolean;
  fits: boolean;
}

/** Returns the keys of a highlight. A norm may have several properties, so the unit of the first decides. */
function resolveKeys(names: Highlight, tallies: ReadonlyMap<string, KeyTally>): string[] {
  const found = names.flatMap((name) =>
    [...tallies].filter(([key, { norm }]) => matchesHighlight({ norm, key }, name)),
  );
  return [...new Set(found.filter(([, { unit }]) => unit === found[0]?.[1].unit).map(([key]) => key))];
}

/** Number of products with the attribute, doubled if their values differ. */
function rankOf({ count, differs }: KeyTally): number {
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
