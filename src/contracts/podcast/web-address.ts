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
