import { hash } from 'node:crypto';
import { product, PRODUCT_FIELDS, unitOf, type Product, type ProductField } from '#contracts/product/index.ts';

/**
 * Query parameters of temporarily signed addresses: they change with every request and say nothing about the content.
 */
const SIGNATURE_PARAMETERS =
  /^(x-amz-.+|x-goog-.+|awsaccesskeyid|googleaccessid|signature|expires|key-pair-id|policy|sig|se|sp|sv|sr|st|skoid|sktid|skt|ske|sks|skv)$/i;

/**
 * Increment whenever the same content would be read, sanitised or canonicalised differently: it changes every digest.
 */
export const NORMALISER_VERSION = 4;

/** SHA-256 of a record's canonical JSON, in hex, salted with the normaliser's version. */
export function digestRecord(record: unknown): string {
  return digestText(canonicalJson(record));
}

function digestText(canonical: string): string {
  return hash('sha256', `sortiment ${NORMALISER_VERSION}\n${canonical}`);
}

/** Fields in the order of canonical JSON, with their names as it writes them. */
const FIELDS_IN_ORDER = PRODUCT_FIELDS.toSorted().map((field) => [field, `${JSON.stringify(field)}:`] as const);
const QUANTITIES = new Set(PRODUCT_FIELDS.filter((field) => unitOf(field).unit !== undefined));
const LINKS = new Set(PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri'));

/**
 * Digest of a product. `"25.000"` and `25` are the same number; `null`, `""` and a missing field are equal; so are
 * newly signed addresses; fields that the contract doesn't know don't count. Texts count as they are: a declared value
 * of `0.50` is not one of `0.5`.
 */
export function digestProduct(record: Product): string {
  // Its canonical JSON, written at once: every record of every run comes by here.
  let members = '';
  for (const [field, name] of FIELDS_IN_ORDER) {
    const value = record[field];
    if (value === undefined || value === '') continue;
    members += `${members === '' ? '' : ','}${name}${JSON.stringify(inOrder(normalise(field, value)))}`;
  }
  return digestText(`{${members}}`);
}

function normalise(field: ProductField, value: Product[ProductField]): unknown {
  if (QUANTITIES.has(field) && typeof value === 'object' && 'text' in value) return normaliseDecimal(value.text);
  if (typeof value === 'string' && LINKS.has(field)) return stripSignature(value);
  return value;
}

/**
 * A value of a product, for `JSON.stringify` to write as `canonicalJson` would; no name in it looks like a number.
 * Almost every value is so already, and then nothing is copied.
 */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string') return normaliseText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const members = Object.entries(value);
  const isInOrder = members.every(([name, member], i) => {
    return (i === 0 || name >= (members[i - 1]?.[0] ?? '')) && inOrder(member) === member;
  });
  if (isInOrder) return value;
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
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

/** A decimal that is written as every other text of its value is. */
const PLAIN_DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** The one text of a decimal's value: `25.000` -> `25`, `007.50` -> `7.5`, `-0.0` -> `0`. Never through a float. */
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
 * JSON that is the same for the same content: keys sorted, texts in NFC with `\n` line ends and trimmed, members
 * that are undefined left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(normaliseText(value));
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = new Map(Object.entries(value));
  let written = '';
  for (const name of [...members.keys()].toSorted()) {
    const member: unknown = members.get(name);
    if (member === undefined) continue;
    written += `${written === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${written}}`;
}

/** Characters before this one are the same in every normal form of Unicode. */
const COMPOSED = /[^\0-\u02FF]/;

function normaliseText(text: string): string {
  const composed = COMPOSED.test(text) ? text.normalize('NFC') : text;
  return (composed.includes('\r') ? composed.replaceAll('\r\n', '\n') : composed).trim();
}
