import { z } from 'zod';
import { availability, languageCode } from '#contracts/product/index.ts';

/** What everybody may know of one change: what it is about and what kind of change it is. */
export const publicChange = z.object({
  kind: z.enum(['product', 'post', 'page', 'episode']),
  change: z.enum(['added', 'changed', 'removed']),
  /** Of products. */
  gtin: z.string().optional(),
  /** Of the record; unknown for a post or page that is gone. */
  language: languageCode.optional(),
  title: z.string(),
  /** Root-relative path of its page, where it has one. */
  path: z.string().optional(),
  /** Of a changed product: the fields of the interface that differ. */
  fields: z.array(z.string()),
  availability: z.object({ before: availability.nullable(), after: availability.nullable() }).optional(),
  /** As the site shows prices: euro with two decimals, null where there was or is none. Left out where it shows none. */
  price: z
    .object({ before: z.string().nullable(), after: z.string().nullable(), tax: z.enum(['net', 'gross']) })
    .optional(),
});

/** Collection `changes`: a run that changed the catalogue, id = that of the run. */
export const changeEntry = z.object({
  at: z.coerce.date(),
  /** Of the catalogue after the run. */
  digest: z.string(),
  /** Of the catalogue before it; none before the first run. */
  previousDigest: z.string().optional(),
  /** False when there were more changes than are listed here. */
  complete: z.boolean(),
  changes: z.array(publicChange),
});

export type PublicChange = z.output<typeof publicChange>;
export type ChangeEntry = z.output<typeof changeEntry>;
