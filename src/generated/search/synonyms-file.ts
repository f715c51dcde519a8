import { z } from 'zod';

const term = z
  .string({ error: 'is not a word; quote values that YAML interprets otherwise, such as "no"' })
  .trim()
  .min(1, { error: 'is empty' });

/** Schema of `content/search/<language>.yaml`, with additional search terms of a language. */
export const synonymsFile = z.strictObject({
  /** Groups of synonyms. */
  synonyms: z.array(
    z
      .array(term, { error: 'is not a list of words such as [Dampfbremse, Dampfsperre]' })
      .min(2, { error: 'has fewer than two words: a word alone has no synonym' }),
    { error: 'is not a list of groups' },
  ),
  /** Parts of compound words, such as `bremse` in `Dampfbremse`. */
  parts: z.array(term, { error: 'is not a list of words' }).default([]),
});

export type Synonyms = z.output<typeof synonymsFile>;
