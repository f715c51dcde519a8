import { hash } from 'node:crypto';
import { product, PRODUCT_FIELDS, getFieldUnit, type Product, type ProductField } from '#contracts/product/index.ts';

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
  return digestText(canonicalJson(record));
}

function digestText(canonical: string): string {
  return hash('sha256', `sortiment ${NORMALISER_VERSION}\n${canonical}`);
}

/** Fields in canonical JSON order, each with its JSON key. */
const FIELDS_IN_ORDER = PRODUCT_FIELDS.toSorted().map((field) => [field, `${JSON.stringify(field)}:`] as const);
const QUANTITIES = new Set(PRODUCT_FIELDS.filter((field) => getFieldUnit(field).unit !== undefined));
const LINKS = new Set(PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri'));

/**
 * Returns the digest of a product. Quantities are compared as numbers: `"25.000"` equals `25`. `null`, `""` and missing
 * fields are equal, as are URLs that differ in their signatures. Unknown fields are ignored. Other texts are compared
 * literally: a declared value `0.50` differs from `0.5`.
 */
export function digestProduct(record: Product): string {
  // Builds the canonical JSON in one pass: this runs for every record of every sync.
  let members = '';
  for (const [field, name] of FIELDS_IN_ORDER) {
    const value = record[field];
    if (value === undefined || value === '') continue;
    members += `${members === '' ? '' : ','}${name}${JSON.stringify(toCanonical(normalise(field, value)))}`;
  }
  return digestText(`{${members}}`);
}

function normalise(field: ProductField, value: Product[ProductField]): unknown {
  if (QUANTITIES.has(field) && typeof value === 'object' && 'text' in value) return normaliseDecimal(value.text);
  if (typeof value === 'string' && LINKS.has(field)) return stripSignature(value);
  return value;
}

/**
 * Sorts and normalises a product value, so that `JSON.stringify` writes it as `canonicalJson` would. Expects no key
 * that looks like a number. Returns the value itself if it is already in order, which is the common case.
 */
function toCanonical(value: unknown): unknown {
  if (typeof value === 'string') return normaliseText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(toCanonical);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const members = Object.entries(value);
  const isCanonical = members.every(([name, member], i) => {
    return (i === 0 || name >= (members[i - 1]?.[0] ?? '')) && toCanonical(member) === member;
  });
  if (isCanonical) return value;
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, toCanonical(member)]));
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
  const members = new Map(Object.entries(value));
  let json = '';
  for (const name of [...members.keys()].toSorted()) {
    const member: unknown = members.get(name);
    if (member === undefined) continue;
    json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${json}}`;
}

/** First character that normal forms of Unicode can change. */
const COMPOSED = /[^\0-\u02FF]/;

function normaliseText(text: string): string {
  const composed = COMPOSED.test(text) ? text.normalize('NFC') : text;
  return (composed.includes('\r') ? composed.replaceAll('\r\n', '\n') : composed).trim();
}
