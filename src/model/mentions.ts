import { z } from 'zod';

/** What a text may mean products by, in the order it stands there. */
export const mentions = z.object({
  /** GTINs, of thirteen digits. */
  gtins: z.array(z.string()),
  /** Item numbers and names, as they are written. */
  names: z.array(z.string()),
});

export type Mentions = z.output<typeof mentions>;
