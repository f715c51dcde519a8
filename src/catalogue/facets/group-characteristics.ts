import { DIMENSION_FIELDS, type DimensionField } from '#contracts/product/index.ts';
import type { ListedEntry } from '#model/entries.ts';
import { asciiSlug } from '../addresses/ascii-slug.ts';
import { attributeValue, type AttributeValue } from '../quantities/attribute-value.ts';
import { measureOf } from '../quantities/measure-of.ts';
import { normBase } from '../norms/norm-base.ts';
import type { Characteristic, CharacteristicSource, CharacteristicValue } from './characteristic.ts';

/** Of a product, what characteristics are made of. */
export type Characterised = Pick<
  ListedEntry,
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
>;

/** Norms whose classes say how something burns; the first of them needs no name beside it. */
const FIRE_NORMS = new Map([
  ['EN 13501-1', 'fire-class'],
  ['DIN 4102-1', 'fire-class-din-4102-1'],
]);

/** What is an id already, a folder beside those of facets, or a name of the filter's in the address of its page. */
const TAKEN = new Set<string>([
  ...DIMENSION_FIELDS,
  ...FIRE_NORMS.values(),
  ...(['availability', 'folded', 'materials', 'documents'] satisfies CharacteristicSource[]),
  'norms',
  'downloads',
  'page',
  'p',
  'sort',
]);

const known = new WeakMap<readonly Characterised[], Characteristic[]>();

/** All that the products of a product group say, in the order in which they say it. The same list is read once. */
export function groupCharacteristics(products: readonly Characterised[]): Characteristic[] {
  const found = known.get(products) ?? [
    fieldCharacteristic('availability', products, ({ availability }) => [chosen(availability)]),
    ...DIMENSION_FIELDS.map((field) => dimensionCharacteristic(field, products)),
    // Where nothing is ever folded, such as a tape, nobody asks.
    fieldCharacteristic('folded', products.some(({ folded }) => folded) ? products : [], ({ folded }) =>
      folded === undefined ? [] : [chosen(folded ? 'yes' : 'no')],
    ),
    fieldCharacteristic('materials', products, (product) =>
      product.materials.map(({ value: text }, i) => ({
        id: product.materialKeys[i] ?? asciiSlug(text),
        text,
        language: foreign(product),
      })),
    ),
    ...attributeCharacteristics(products),
    fieldCharacteristic('documents', products, ({ documentFields }) => documentFields.map(chosen)),
  ];
  known.set(products, found);
  return found;
}

/** Gathers values that are said more than once. */
function gather(head: Pick<Characteristic, 'id' | 'source' | 'kind' | 'name' | 'norm' | 'key'>, size: number) {
  const characteristic: Characteristic = { ...head, unit: '', values: [], of: Array.from({ length: size }, () => []) };
  const places = new Map<string, number>();
  return {
    characteristic,
    /** @param make Makes the value, the first time that it is said. */
    add: (product: number, said: string, make: () => CharacteristicValue | undefined) => {
      const before = places.get(said);
      const value = before === undefined ? make() : undefined;
      if (before === undefined && value === undefined) return;
      const place = before ?? characteristic.values.length;
      if (value) characteristic.values.push(value);
      places.set(said, place);
      const of = characteristic.of[product];
      if (of && !of.includes(place)) of.push(place);
    },
  };
}

function fieldCharacteristic(
  source: CharacteristicSource,
  products: readonly Characterised[],
  valuesOf: (product: Characterised) => CharacteristicValue[],
): Characteristic {
  const { characteristic, add } = gather({ id: source, source, kind: 'choice' }, products.length);
  for (const [i, product] of products.entries()) {
    for (const value of valuesOf(product)) add(i, `${value.language ?? ''} ${value.text}`, () => value);
  }
  return characteristic;
}

/** A word of a closed list. */
function chosen(text: string): CharacteristicValue {
  return { id: text.replaceAll('_', '-'), text };
}

function dimensionCharacteristic(field: DimensionField, products: readonly Characterised[]): Characteristic {
  const { characteristic, add } = gather({ id: field, source: field, kind: 'number' }, products.length);
  const decimals = products.map((product) => product[field]);
  const least = decimals.filter((decimal) => decimal !== undefined).toSorted((a, b) => a.value - b.value)[0];
  if (!least) return characteristic;
  const { unit, text } = measureOf(field, least);
  // One unit for all: that of the smallest.
  const factor = text === least.text ? 1 : 1000;
  for (const [i, decimal] of decimals.entries()) {
    if (!decimal) continue;
    add(i, decimal.text, () => {
      const shown = measureOf(field, decimal);
      const number = Number((decimal.value * factor).toPrecision(12));
      const id = asciiSlug(`${Number(shown.text)} ${shown.unit}`);
      return { id, text: decimal.text, low: number, high: number };
    });
  }
  return { ...characteristic, unit };
}

function attributeCharacteristics(products: readonly Characterised[]): Characteristic[] {
  const gathered = new Map<string, ReturnType<typeof gather>>();
  const readings = new Map<CharacteristicValue, AttributeValue>();
  const fireIds = new Map<string, string | undefined>();
  for (const [i, product] of products.entries()) {
    const { language } = product;
    for (const [place, { name, norm, value: text }] of product.attributes.entries()) {
      if (!fireIds.has(norm)) fireIds.set(norm, FIRE_NORMS.get(normBase(norm)));
      const fireId = fireIds.get(norm);
      // A second class is of something else, such as the product on a board: it stands under its own name.
      const isFire = fireId !== undefined && !gathered.get(fireId)?.characteristic.of[i]?.length;
      const key = product.attributeKeys[place] ?? asciiSlug(`${norm} ${name}`);
      const id = isFire ? fireId : TAKEN.has(key) ? `attribute-${key}` : key;
      const source = isFire ? 'fire' : 'attribute';
      const { characteristic, add } =
        gathered.get(id) ?? gather({ id, source, kind: 'text', name, norm, key }, products.length);
      gathered.set(id, { characteristic, add });
      add(i, `${language} ${text}`, () => {
        const reading = attributeValue(text, norm, language);
        if (reading.kind === 'undeclared') return undefined;
        const value: CharacteristicValue = { text, language: foreign(product) };
        readings.set(value, reading);
        return value;
      });
    }
  }
  return [...gathered.values()].map(({ characteristic }) => classify(characteristic, readings));
}

/** Decides whether one can choose by class or by number, and gives the values their ids. */
function classify(
  characteristic: Characteristic,
  readings: ReadonlyMap<CharacteristicValue, AttributeValue>,
): Characteristic {
  const read = characteristic.values.flatMap((value) => readings.get(value) ?? []);
  if (read.some(({ kind }) => kind === 'class')) {
    for (const value of characteristic.values) {
      const reading = readings.get(value);
      if (reading?.kind !== 'class') continue;
      value.id = reading.name.toLowerCase();
      value.className = reading.name;
      value.low = value.high = reading.rank;
    }
    return { ...characteristic, kind: 'choice' };
  }
  const unit = mostFrequent(read.flatMap((reading) => ('unit' in reading ? reading.unit : [])));
  if (unit === undefined) return characteristic;
  for (const value of characteristic.values) {
    const reading = readings.get(value);
    // What is stated in another unit can't be put in order with the others.
    if (!reading || !('unit' in reading) || reading.unit !== unit) continue;
    const [low, high] = limitsOf(reading);
    value.id = idOf(reading);
    value.low = low;
    value.high = high;
  }
  return { ...characteristic, kind: 'number', unit };
}

type Measured = Extract<AttributeValue, { unit: string }>;

/** What a value covers. A bound stands for its number: `≥ 1500 m` is found by 1500, and isn't known to be 2000. */
function limitsOf(reading: Measured): [low: number, high: number] {
  if (reading.kind === 'range') return [reading.from, reading.to];
  if (reading.kind === 'pair') return [reading.along, reading.along];
  return [reading.value, reading.value];
}

const OPERATORS = { '≥': 'ge', '>': 'gt', '≤': 'le', '<': 'lt' } as const;

function idOf(reading: Measured): string {
  switch (reading.kind) {
    case 'range':
      return `${numberId(reading.from)}-to-${numberId(reading.to)}`;
    case 'pair':
      return `${numberId(reading.along)}-by-${numberId(reading.across)}`;
    case 'bound':
      return `${OPERATORS[reading.operator]}-${numberId(reading.value)}`;
    default:
      return numberId(reading.value);
  }
}

/** In letters that need no escape and end no file's name: `-0.25` -> `minus-0-25`. */
function numberId(value: number): string {
  return String(value).replace('-', 'minus-').replaceAll(/[.+]/g, '-');
}

function mostFrequent(units: readonly string[]): string | undefined {
  const counted = [...Map.groupBy(units, (unit) => unit)];
  return counted.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function foreign({ language, pageLanguage }: Characterised): string | undefined {
  return language === pageLanguage ? undefined : language;
}
