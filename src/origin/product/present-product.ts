import {
  attribute,
  decimal,
  DIMENSION_FIELDS,
  material,
  product,
  PRODUCT_FIELDS,
  unitOf,
  type ProductField,
  type ProductRecord,
} from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

/**
 * A stored record as it travels: every field, in the contract's order (the store keeps none), with absolute
 * links, decimals by the knob `decimals`, and the field's own way of saying "nothing" where it has no value.
 */
export function presentProduct(context: OriginContext, record: ProductRecord): Record<ProductField, unknown> {
  const fields = PRODUCT_FIELDS.map((field) => [field, presentField(context, field, record[field])]);
  return Object.fromEntries(fields) as Record<ProductField, unknown>;
}

/** Places behind the point, where decimals travel as text. Numbers of units are whole and stay numbers. */
const PLACES: ReadonlyMap<ProductField, number> = new Map([
  ['price', 2] as const,
  ...DIMENSION_FIELDS.map((field) => [field, 3] as const),
]);

const LIST_ITEMS: Partial<Record<ProductField, readonly string[]>> = {
  attributes: Object.keys(attribute.shape),
  materials: Object.keys(material.shape),
};

function presentField(context: OriginContext, field: ProductField, value: unknown): unknown {
  if (product.shape[field].meta()?.['format'] === 'uri') return presentLink(context, value);
  if (value === undefined || value === null) return EMPTY[field];
  const keys = LIST_ITEMS[field];
  if (keys && Array.isArray(value)) return value.map((item: Record<string, unknown>) => pick(item, keys));
  return unitOf(field).unit === undefined ? value : presentNumber(context, field, value);
}

/** Links of files that the origin holds are stored as paths below its public address. */
function presentLink({ publicUrl }: OriginContext, value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  return /^[a-z][a-z\d+.-]*:/i.test(value) ? value : `${publicUrl}/${value.replace(/^\/+/, '')}`;
}

function presentNumber(context: OriginContext, field: ProductField, value: unknown): unknown {
  const read = decimal.safeParse(value);
  if (!read.success) return value;
  const places = PLACES.get(field);
  if (places === undefined || context.product.decimals === 'number') return read.data.value;
  // Zeros are added, digits are never taken away: a declared value is not ours to round.
  const [whole = '', fraction = ''] = read.data.text.split('.');
  return `${whole}.${fraction.padEnd(places, '0')}`;
}

function pick(item: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, item[key] ?? '']));
}

/** What a field that a record leaves out is on the wire: `null`, `""` or `[]`, as the contract reads it. */
const EMPTY = Object.fromEntries(
  PRODUCT_FIELDS.map((field) => {
    const read = product.shape[field].safeParse(undefined);
    return [field, (read.success ? read.data : undefined) ?? null];
  }),
);
