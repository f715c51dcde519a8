import { hash } from 'node:crypto';
import {
  product,
  PRODUCT_FIELDS,
  getFieldUnit,
  type Product,
  type ProductField,
  type ProductRecord,
} from '#contracts/product/index.ts';

/** Query parameters of signed URLs. They change with every request and don't affect the content. */
const SIGNATURE_PARAMETERS =
  /^(x-amz-.+|x-goog-.+|awsaccesskeyid|googleaccessid|signature|expires|key-pair-id|policy|sig|se|sp|sv|sr|st|skoid|sktid|skt|ske|sks|skv)$/i;

/**
 * Version of the digest's input. Increment it if the same content would be read, sanitised or canonicalised
 * differently. This changes every digest.
 */
export const NORMALISER_VERSION = 4;

/** SHA-256 of a record's canonical JSON, in hex, salted with the normaliser's version. */
export function digestRecord(record: unknown): string {
  return hash('sha256', `sortiment ${NORMALISER_VERSION}\n${canonicalJson(record)}`);
}

const QUANTITIES = new Set(PRODUCT_FIELDS.filter((field) => getFieldUnit(field).unit !== undefined));
const LINKS = new Set(PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri'));

/**
 * Returns the digest of a product. Quantities are compared as numbers: `"25.000"` equals `25`. `null`, `""` and missing
 * fields are equal, as are URLs that differ in their signatures. Other texts are compared literally: a declared value
 * `0.50` differs from `0.5`.
 * @param further Further members of the record.
 * @param extraFields Fields of `extra` that are compared.
 */
export function digestProduct(
  record: Product,
  { documents = [], extra = {} }: Pick<ProductRecord, 'documents' | 'extra'> = {},
  extraFields: readonly string[] = [],
): string {
  const members = PRODUCT_FIELDS.flatMap((field): [string, unknown][] => {
    const value = record[field];
    return value === undefined || value === '' ? [] : [[field, normalise(field, value)]];
  });
  const urls = documents.map(({ kind, url }) => ({ kind, url: stripSignature(url) }));
  if (urls.length > 0) members.push(['documents', urls]);
  const further = extraFields.flatMap((field) => (isEmpty(extra[field]) ? [] : [[field, extra[field]]]));
  if (further.length > 0) members.push(['extra', Object.fromEntries(further)]);
  return digestRecord(Object.fromEntries(members));
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function normalise(field: ProductField, value: Product[ProductField]): unknown {
  if (QUANTITIES.has(field) && typeof value === 'object' && 'text' in value) return normaliseDecimal(value.text);
  if (typeof value === 'string' && LINKS.has(field)) return stripSignature(value);
  return value;
}

/** Removes the signature from a URL. Unsigned URLs identify assets, also in digests. */
export function stripSignature(address: string): string {
  if (!address.includes('?') || !URL.canParse(address)) return address;
  const url = new URL(address);
  const names = [...url.searchParams.keys()];
  // `sp`, `st` and the like are ordinary parameters unless a signature is present.
  if (!names.some((name) => /signature|^sig$/i.test(name))) return address;
  for (const name of names) if (SIGNATURE_PARAMETERS.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** A decimal that is already in normal form. */
const PLAIN_DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** Normalises a decimal without converting it to a float: `25.000` -> `25`, `007.50` -> `7.5`, `-0.0` -> `0`. */
export function normaliseDecimal(text: string): string {
  if (PLAIN_DECIMAL.test(text)) return text;
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
 * Serialises a value to canonical JSON: sorted keys, texts trimmed and in NFC with `
 * ` line ends. Omits undefined members.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(normaliseText(value));
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}

/** First character that normal forms of Unicode can change. */
const COMPOSED = /[^\0-\u02FF]/;

function normaliseText(text: string): string {
  const composed = COMPOSED.test(text) ? text.normalize('NFC') : text;
  return (composed.includes('\r') ? composed.replaceAll('\r\n', '\n') : composed).trim();
}
