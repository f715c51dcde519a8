import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/write-body.ts';
import { wireInteger, wireText } from '../wire.ts';
import { parsePlayTime } from './play-time.ts';

/** Error codes of the podcast routes, in addition to the common ones. */
export const NOT_FOUND = { rest_not_found: 404 } as const;

/** Response to writes. */
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
  .meta({ description: 'Play time, such as 45, 3:07 or 01:02:03.456' });

export const episodeId = z.object({ id: wireInteger().meta({ description: 'Id of the episode' }) });
