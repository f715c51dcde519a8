import { DIMENSION_FIELDS, type DimensionField } from '#contracts/product/index.ts';
import type { FieldType } from '#contracts/product/product-fields.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { USE_FIELDS, type UseField } from '../products/uses.ts';
import { cacheByObject } from '../cache.ts';
import { asciiSlug } from '../addresses/slugs.ts';
import { parseAttributeValue, type AttributeValue } from '../quantities/attribute-value.ts';
import { toMeasure } from '../quantities/measure.ts';
import { normBase } from '../norms/norm-base.ts';
import { fieldKey } from '../products/product-fields.ts';

/** Fields of a product from which characteristics are derived. */
export type CharacteristicInput = Pick<
  ProductListEntry,
  | 'language'
  | 'pageLanguage'
  | 'availability'
  | DimensionField
  | 'folded'
  | 'documentFields'
  | 'materials'
  | 'materialKeys'
  | 'attributes'
  | 'attributeKeys'
  | 'uses'
  | 'fieldViews'
>;

/** Norms of fire classes. The first is displayed without its name. */
const FIRE_NORMS = new Map([
  ['EN 13501-1', 'fire-class'],
  ['DIN 4102-1', 'fire-class-din-4102-1'],
]);

/** IDs unavailable to attributes: fields, sibling folders of facets, and query parameters of the filter page. */
const RESERVED_IDS = new Set<string>([
  ...DIMENSION_FIELDS,
  ...USE_FIELDS,
  ...FIRE_NORMS.values(),
  ...(['availability', 'folded', 'materials', 'documents'] satisfies CharacteristicSource[]),
  'norms',
  'downloads',
  'page',
  'p',
  'sort',
]);

/** Returns the characteristics of a product group in the order of declaration. Results are cached per list. */
export const groupCharacteristics = cacheByObject((products: readonly CharacteristicInput[]): Characteristic[] => [
  ...USE_FIELDS.map((field) => fieldCharacteristic(field, products, ({ uses }) => usesOf(uses, field).map(listValue))),
  fieldCharacteristic('availability', products, ({ availability }) => [listValue(availability)]),
  ...DIMENSION_FIELDS.map((field) => dimensionCharacteristic(field, products)),
  // Omitted for families in which no product is folded, such as tapes.
  fieldCharacteristic('folded', products.some(({ folded }) => folded) ? products : [], ({ folded }) =>
    folded === undefined ? [] : [listValue(folded ? 'yes' : 'no')],
  ),
  fieldCharacteristic('materials', products, (product) =>
    product.materials.map(({ value: text }, i) => ({
      id: product.materialKeys[i] ?? asciiSlug(text),
      text,
      language: languageIfForeign(product),
    })),
  ),
  ...furtherCharacteristics(products),
  ...attributeCharacteristics(products),
  fieldCharacteristic('documents', products, ({ documentFields }) => documentFields.map(listValue)),
]);

/** Returns the uses of a product. Substrates that need a primer are included. */
function usesOf(uses: CharacteristicInput['uses'], field: UseField): string[] {
  return [...(uses?.[field] ?? []), ...((field === 'substrates' && uses?.primed) || [])];
}

function gather(head: Omit<Characteristic, 'unit' | 'values' | 'of'> & { unit?: string }, size: number) {
  const characteristic: Characteristic = { unit: '', ...head, values: [], of: Array.from({ length: size }, () => []) };
  const positions = new Map<string, number>();
  return {
    characteristic,
    /** @param make Creates the value on its first occurrence. */
    add: (product: number, key: string, make: () => CharacteristicValue | undefined) => {
      const before = positions.get(key);
      const value = before === undefined ? make() : undefined;
      if (before === undefined && value === undefined) return;
      const position = before ?? characteristic.values.length;
      if (value) characteristic.values.push(value);
      positions.set(key, position);
      const of = characteristic.of[product];
      if (of && !of.includes(position)) of.push(position);
    },
  };
}

function fieldCharacteristic(
  source: CharacteristicSource,
  products: readonly CharacteristicInput[],
  valuesOf: (product: CharacteristicInput) => CharacteristicValue[],
): Characteristic {
  const { characteristic, add } = gather({ id: source, source, kind: 'choice' }, products.length);
  for (const [i, product] of products.entries()) {
    for (const value of valuesOf(product)) add(i, `${value.language ?? ''} ${value.text}`, () => value);
  }
  return characteristic;
}

/** Value of a closed list. */
function listValue(text: string): CharacteristicValue {
  return { id: text.replaceAll('_', '-'), text };
}

function dimensionCharacteristic(field: DimensionField, products: readonly CharacteristicInput[]): Characteristic {
  const { characteristic, add } = gather({ id: field, source: field, kind: 'number' }, products.length);
  const decimals = products.map((product) => product[field]);
  const least = decimals.filter((decimal) => decimal !== undefined).toSorted((a, b) => a.value - b.value)[0];
  if (!least) return characteristic;
  const { unit, text } = toMeasure(field, least);
  // All values use the unit of the smallest.
  const factor = text === least.text ? 1 : 1000;
  for (const [i, decimal] of decimals.entries()) {
    if (!decimal) continue;
    add(i, decimal.text, () => {
      const shown = toMeasure(field, decimal);
      const number = Number((decimal.value * factor).toPrecision(12));
      const id = asciiSlug(`${Number(shown.text)} ${shown.unit}`);
      return { id, text: decimal.text, low: number, high: number };
    });
  }
  return { ...characteristic, unit };
}

/** Returns the characteristics of `product.fields`. Values that are no facets are only displayed. */
function furtherCharacteristics(products: readonly CharacteristicInput[]): Characteristic[] {
  const gathered = new Map<string, ReturnType<typeof gather>>();
  for (const [i, product] of products.entries())
    for (const { field, label: name, type, unit, values, show } of product.fieldViews ?? []) {
      if (!show.includes('comparison') && !show.includes('facets')) continue;
      const kind = !show.includes('facets') ? 'text' : type === 'number' ? 'number' : 'choice';
      const head = { id: furtherId(field), source: 'field', kind, name, key: fieldKey(field), type, unit } as const;
      const { characteristic, add } = gathered.get(field) ?? gather(head, products.length);
      gathered.set(field, { characteristic, add });
      for (const { key, text } of values)
        add(i, key ?? `${product.language} ${text}`, () => {
          const number = Number(text);
          if (type === 'number')
            return { id: asciiSlug(`${numberId(number)} ${unit}`), text, low: number, high: number };
          if (type === 'boolean') return { id: text, text };
          const isForeign = key === undefined && (type === 'text' || type === 'list');
          return { id: key, text, language: isForeign ? languageIfForeign(product) : undefined };
        });
    }
  return [...gathered.values()].map(({ characteristic }) => characteristic);
}

/** Returns the ID of a field of `product.fields`: `roll-weight`. */
function furtherId(field: string): string {
  const id = field.replaceAll('_', '-');
  return RESERVED_IDS.has(id) ? `field-${id}` : id;
}

function attributeCharacteristics(products: readonly CharacteristicInput[]): Characteristic[] {
  const gathered = new Map<string, ReturnType<typeof gather>>();
  const parsedValues = new Map<CharacteristicValue, AttributeValue>();
  const furtherIds = new Set(
    products.flatMap(({ fieldViews = [] }) => fieldViews.map(({ field }) => furtherId(field))),
  );
  for (const [i, product] of products.entries()) {
    const { language } = product;
    for (const [index, { name, norm, value: text }] of product.attributes.entries()) {
      const fireId = FIRE_NORMS.get(normBase(norm));
      // A second class describes something else, such as the product on a board. It gets its own column.
      const isFire = fireId !== undefined && !gathered.get(fireId)?.characteristic.of[i]?.length;
      const key = product.attributeKeys[index] ?? asciiSlug(`${norm} ${name}`);
      const id = isFire ? fireId : RESERVED_IDS.has(key) || furtherIds.has(key) ? `attribute-${key}` : key;
      const source = isFire ? 'fire' : 'attribute';
      const { characteristic, add } =
        gathered.get(id) ?? gather({ id, source, kind: 'text', name, norm, key }, products.length);
      gathered.set(id, { characteristic, add });
      add(i, `${language} ${text}`, () => {
        const parsed = parseAttributeValue(text, norm, language);
        if (parsed.kind === 'undeclared') return undefined;
        const value: CharacteristicValue = { text, language: languageIfForeign(product) };
        parsedValues.set(value, parsed);
        return value;
      });
    }
  }
  return [...gathered.values()].map(({ characteristic }) => classify(characteristic, parsedValues));
}

/** Determines whether values are classes or numbers, and assigns IDs to them. */
function classify(
  characteristic: Characteristic,
  parsedValues: ReadonlyMap<CharacteristicValue, AttributeValue>,
): Characteristic {
  const allParsed = characteristic.values.flatMap((value) => parsedValues.get(value) ?? []);
  if (allParsed.some(({ kind }) => kind === 'class')) {
    for (const value of characteristic.values) {
      const parsed = parsedValues.get(value);
      if (parsed?.kind !== 'class') continue;
      value.id = parsed.name.toLowerCase();
      value.className = parsed.name;
      value.low = value.high = parsed.rank;
    }
    return { ...characteristic, kind: 'choice' };
  }
  const unit = mostFrequent(allParsed.flatMap((parsed) => ('unit' in parsed ? parsed.unit : [])));
  if (unit === undefined) return characteristic;
  for (const value of characteristic.values) {
    const parsed = parsedValues.get(value);
    // Values in other units can't be compared.
    if (!parsed || !('unit' in parsed) || parsed.unit !== unit) continue;
    Object.assign(value, measureOf(parsed));
  }
  return { ...characteristic, kind: 'number', unit };
}

const OPERATORS = { '≥': 'ge', '>': 'gt', '≤': 'le', '<': 'lt' } as const;

/**
 * Returns the ID of a value and the numbers that it covers. A bound is represented by its number: `≥ 1500 m` matches
 * 1500 but not 2000.
 */
function measureOf(
  parsed: Extract<AttributeValue, { unit: string }>,
): Pick<CharacteristicValue, 'id' | 'low' | 'high'> {
  switch (parsed.kind) {
    case 'range': {
      const { from, to } = parsed;
      return { id: `${numberId(from)}-to-${numberId(to)}`, low: from, high: to };
    }
    case 'pair': {
      const { along, across } = parsed;
      return { id: `${numberId(along)}-by-${numberId(across)}`, low: along, high: along };
    }
    default: {
      const { value } = parsed;
      const prefix = parsed.kind === 'bound' ? `${OPERATORS[parsed.operator]}-` : '';
      return { id: prefix + numberId(value), low: value, high: value };
    }
  }
}

/** Formats a number for URLs and file names: `-0.25` -> `minus-0-25`. */
function numberId(value: number): string {
  return String(value).replace('-', 'minus-').replaceAll(/[.+]/g, '-');
}

function mostFrequent(units: readonly string[]): string | undefined {
  const counted = [...Map.groupBy(units, (unit) => unit)];
  return counted.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function languageIfForeign({ language, pageLanguage }: CharacteristicInput): string | undefined {
  return language === pageLanguage ? undefined : language;
}

/** Source of a characteristic: a field of the record, or a declared attribute. */
type CharacteristicSource =
  UseField | 'materials' | 'availability' | DimensionField | 'folded' | 'documents' | 'fire' | 'attribute' | 'field';

/** A property that distinguishes the products of a family, with the values of each product. */
export interface Characteristic {
  /** Same in every language. Used in URLs. */
  id: string;
  source: CharacteristicSource;
  /** Name and norm of an attribute, as declared. */
  name?: string | undefined;
  norm?: string | undefined;
  /** Type of a field of `product.fields`. */
  type?: FieldType | undefined;
  /** Key of an attribute, the same in every language (see `catalogue/products/join-keys.ts`). */
  key?: string | undefined;
  /** `choice`: values belong to classes. `number`: values are ordered. `text`: values are only displayed. */
  kind: 'choice' | 'number' | 'text';
  /** Unit of numbers. Empty for other kinds. */
  unit: string;
  values: CharacteristicValue[];
  /** Indexes into `values` for each product of the group. Empty if the product declares none. */
  of: number[][];
}

export interface CharacteristicValue {
  /** ID of the option, the same in every language. Values of one class share it. Undefined for `text`. */
  id?: string | undefined;
  /** A declared text, a decimal dimension, or a term of a closed list. */
  text: string;
  /** Class of a declared text. */
  className?: string | undefined;
  /** Lowest and highest number covered, in the unit of the characteristic. */
  low?: number | undefined;
  high?: number | undefined;
  /** Language of the text if it differs from the page's language. */
  language?: string | undefined;
}
