import { z } from 'zod';

export const MAX_ADDRESS_LENGTH = 2000;

/** True if a text is a whole address of the web, as it stands. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>]+$/i.test(text) && URL.canParse(text);
}

/**
 * Returns a whole address of the web as the URL Standard writes it: spaces and letters beyond ASCII, which other
 * programs leave in file names, are percent-encoded. Undefined for any other text, and for one with `<` or `>`.
 */
export function normalizeWebAddress(text: string): string | undefined {
  return /^\s*https?:\/\/[^<>]+$/i.test(text) ? URL.parse(text)?.href : undefined;
}

/**
 * Whether a text, used as a link, leads to the web or to nowhere, as browsers read it; `javascript:`, `data:` and
 * their like do neither, however they are written.
 */
export function isSafeLink(text: string): boolean {
  const url = URL.parse(text, 'https://host.invalid/');
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

const NO_ADDRESS = {
  error: 'is not a web address such as https://example.org/',
  params: { code: 'rest_invalid_url' },
};

/** A whole address of the web as callers send it. */
export const webAddress = z.string().max(MAX_ADDRESS_LENGTH).refine(isWebAddress, NO_ADDRESS).meta({ format: 'uri' });

/** The same, or the empty text to remove one. */
export const clearableAddress = z
  .string()
  .max(MAX_ADDRESS_LENGTH)
  .refine((text) => text === '' || isWebAddress(text), NO_ADDRESS)
  .meta({ format: 'uri' });
