import { z } from 'zod';

/** Possible mentions of products in a text, in order of appearance. */
export const mentions = z.object({
  /** GTIN-13s. */
  gtins: z.array(z.string()),
  /** Item numbers and names, as written. */
  names: z.array(z.string()),
});

export type Mentions = z.output<typeof mentions>;
