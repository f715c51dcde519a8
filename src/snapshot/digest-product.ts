import { product, PRODUCT_FIELDS, unitOf, type Product, type ProductField } from '#contracts/product/index.ts';
import { digestRecord } from './digest-record.ts';
import { normaliseDecimal } from './normalise-decimal.ts';
import { stripSignature } from './strip-signature.ts';

/**
 * Digest of a product. `"25.000"` and `25` are the same number, `null`, `""` and a missing field the same
 * emptiness, a newly signed address the same address; fields that the contract doesn't know don't count. Texts
 * count as they are: a declared value of `0.50` is not one of `0.5`.
 */
export function digestProduct(record: Product): string {
  return digestRecord(Object.fromEntries(PRODUCT_FIELDS.map((field) => [field, normalise(field, record[field])])));
}

function normalise(field: ProductField, value: Product[ProductField]): unknown {
  if (value === '') return undefined;
  if (unitOf(field).unit && typeof value === 'object' && 'text' in value) return normaliseDecimal(value.text);
  if (typeof value === 'string' && isLink(field)) return stripSignature(value);
  return value;
}

function isLink(field: ProductField): boolean {
  return product.shape[field].meta()?.['format'] === 'uri';
}
