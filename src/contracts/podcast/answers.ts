import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/write-body.ts';
import { wireInteger, wireText } from '../wire.ts';
import { parsePlayTime } from './play-time.ts';

/** Error codes of the podcast routes, beside those of all routes. */
export const NOT_FOUND = { rest_not_found: 404 } as const;

/** Response to writes. */
export const done = z.object({ status: z.literal('ok') });

/** An id or a number. Other servers of this interface send some as text. */
export const looseInteger = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .meta({ type: 'integer' });

/** Yes or no; some send it as `"1"` and `"0"`. */
export const looseBoolean = z
  .union([z.boolean(), z.enum(['0', '1']).transform((digit) => digit === '1')])
  .meta({ type: 'boolean' });

/** A text that was never written is null. */
export const textOrNull = z.string().nullable();

/** Titles, names and other texts of a line. */
export const shortText = wireText(MAX_NAME_LENGTH);
/** Texts of several lines. */
export const longText = wireText(MAX_TEXT_LENGTH);

/** A play time. The text stays as it was sent: soundbites are answered as they were written. */
export const playTime = z
  .string()
  .refine((text) => parsePlayTime(text) !== undefined, { error: 'is not a play time such as 45, 3:07 or 01:02:03.456' })
  .meta({ description: 'Play time, such as 45, 3:07 or 01:02:03.456' });

export const episodeId = z.object({ id: wireInteger().meta({ description: 'Id of the episode' }) });
