import { z } from 'zod';
import { availability, languageCode } from '#contracts/product/index.ts';

/** The public part of a change: the record and the kind of change. */
export const publicChange = z.object({
  kind: z.enum(['product', 'post', 'page', 'episode']),
  change: z.enum(['added', 'changed', 'removed']),
  /** GTIN of a product. */
  gtin: z.string().optional(),
  /** Language of the record; unknown for a deleted post or page. */
  language: languageCode.optional(),
  title: z.string(),
  /** Root-relative path of its page, if any. */
  path: z.string().optional(),
  /** Changed fields of a product, under their names in the interface. */
  fields: z.array(z.string()),
  availability: z.object({ before: availability.nullable(), after: availability.nullable() }).optional(),
  /**
   * Prices as shown on the site: euro with two decimals, null if there was or is none. Omitted if the site shows no
   * prices.
   */
  price: z
    .object({ before: z.string().nullable(), after: z.string().nullable(), tax: z.enum(['net', 'gross']) })
    .optional(),
});

/** Collection `changes`, id = run id: a run that changed the catalogue. */
export const changeEntry = z.object({
  at: z.coerce.date(),
  /** Digest of the catalogue after the run. */
  digest: z.string(),
  /** Digest of the catalogue before the run; undefined for the first run. */
  previousDigest: z.string().optional(),
  /** False if the list of changes was truncated. */
  complete: z.boolean(),
  changes: z.array(publicChange),
});

export type PublicChange = z.output<typeof publicChange>;
export type ChangeEntry = z.output<typeof changeEntry>;
