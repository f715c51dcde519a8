import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/field.ts';
import { wireInteger, wireText } from '../wire.ts';
import { parsePlayTime } from './play-time.ts';

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

/** Error codes of the podcast routes, in addition to the common ones. */
export const NOT_FOUND = { rest_not_found: 404 } as const;

export const okResponse = z.object({ status: z.literal('ok') });

/** A number; some servers send a string. */
export const looseInteger = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .meta({ type: 'integer' });

/** A boolean; some servers send `"1"` and `"0"`. */
export const looseBoolean = z
  .union([z.boolean(), z.enum(['0', '1']).transform((digit) => digit === '1')])
  .meta({ type: 'boolean' });

/** Null if the text was never written. */
export const textOrNull = z.string().nullable();

/** Schema of single-line texts. */
export const shortText = wireText(MAX_NAME_LENGTH);
/** Schema of multi-line texts. */
export const longText = wireText(MAX_TEXT_LENGTH);

/** A play time, stored as written: soundbites are returned unchanged. */
export const playTime = z
  .string()
  .refine((text) => parsePlayTime(text) !== undefined, { error: 'is not a play time such as 45, 3:07 or 01:02:03.456' })
  .describe('Play time, such as 45, 3:07 or 01:02:03.456');

export const episodeId = z.object({ id: wireInteger().describe('Id of the episode') });
