import { createHash } from 'node:crypto';
import { trimTrailing } from '../scan-text.ts';
import { z } from 'zod';

export const MAX_ADDRESS_LENGTH = 2000;

/** True if a text is an absolute web URL. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>]+$/i.test(text) && URL.canParse(text);
}

/**
 * Normalizes an absolute web URL: percent-encodes spaces and non-ASCII letters, which other programs leave in file
 * names. Undefined for other texts, and for texts with `<` or `>`.
 */
export function normalizeWebAddress(text: string): string | undefined {
  return /^\s*https?:\/\/[^<>]+$/i.test(text) ? URL.parse(text)?.href : undefined;
}

/**
 * True if a link resolves to a web URL in browsers. `javascript:`, `data:` and similar schemes are unsafe in any
 * notation.
 */
export function isSafeLink(text: string): boolean {
  const url = URL.parse(text, 'https://host.invalid/');
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

const NO_ADDRESS = {
  error: 'is not a web address such as https://example.org/',
  params: { code: 'rest_invalid_url' },
};

/** An absolute web URL in a request. */
export const webAddress = z.string().max(MAX_ADDRESS_LENGTH).refine(isWebAddress, NO_ADDRESS).meta({ format: 'uri' });

/** An absolute web URL, or an empty string to clear it. */
export const clearableAddress = z
  .string()
  .max(MAX_ADDRESS_LENGTH)
  .refine((text) => text === '' || isWebAddress(text), NO_ADDRESS)
  .meta({ format: 'uri' });

/** Namespace of podcasts: ead4c236-bf58-58c6-a2c6-a6b28d128cb6. */
const NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/**
 * Computes the initial guid of a podcast (Podcasting 2.0, guid): a version 5 UUID of its feed URL, without scheme and
 * trailing slashes. An assigned guid never changes, even if the feed moves.
 */
export function podcastGuid(feedAddress: string): string {
  const name = trimTrailing(feedAddress.replace(/^[a-z]+:\/\//i, ''), '/');
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
