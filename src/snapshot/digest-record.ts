import { createHash } from 'node:crypto';
import { product, PRODUCT_FIELDS, unitOf, type Product, type ProductField } from '#contracts/product/index.ts';

/**
 * Query parameters of temporarily signed addresses: they change with every request and say nothing about the content.
 */
const SIGNATURE_PARAMETERS =
  /^(x-amz-.+|x-goog-.+|awsaccesskeyid|googleaccessid|signature|expires|key-pair-id|policy|sig|se|sp|sv|sr|st|skoid|sktid|skt|ske|sks|skv)$/i;

/**
 * Increment whenever the same content would be read, sanitised or canonicalised differently: it changes every digest.
 */
export const NORMALISER_VERSION = 3;

/** SHA-256 of a record's canonical JSON, in hex, salted with the normaliser's version. */
export function digestRecord(record: unknown): string {
  return createHash('sha256')
    .update(`sortiment ${NORMALISER_VERSION}\n${canonicalJson(record)}`)
    .digest('hex');
}

/**
 * Digest of a product. `"25.000"` and `25` are the same number; `null`, `""` and a missing field are equal; so are
 * newly signed addresses; fields that the contract doesn't know don't count. Texts count as they are: a declared value
 * of `0.50` is not one of `0.5`.
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

/** The address without its signature: the identity of assets, also in digests. */
export function stripSignature(address: string): string {
  if (!address.includes('?') || !URL.canParse(address)) return address;
  const url = new URL(address);
  const names = [...url.searchParams.keys()];
  // `sp`, `st` and the like are ordinary parameters unless a signature is present.
  if (!names.some((name) => /signature|^sig$/i.test(name))) return address;
  for (const name of names) if (SIGNATURE_PARAMETERS.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** The one text of a decimal's value: `25.000` -> `25`, `007.50` -> `7.5`, `-0.0` -> `0`. Never through a float. */
export function normaliseDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim());
  if (!match) return text;
  const [, sign, whole = '', fraction = ''] = match;
  let end = fraction.length;
  // A regular expression for trailing zeros would take hours on a maliciously long number.
  while (fraction[end - 1] === '0') end -= 1;
  const digits = whole.replace(/^0+(?=\d)/, '') + (end > 0 ? `.${fraction.slice(0, end)}` : '');
  return digits === '0' ? '0' : `${sign}${digits}`;
}

/**
 * JSON that is the same for the same content: keys sorted, texts in NFC with `\n` line ends and trimmed, members
 * that are undefined left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC').replaceAll('\r\n', '\n').trim());
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join()}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
