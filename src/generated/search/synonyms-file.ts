import { z } from 'zod';

const term = z
  .string({ error: 'is not a word; put quotes around what YAML takes for something else, such as "no"' })
  .trim()
  .min(1, { error: 'is empty' });

/** A file of `content/search/`: what a language has of words that a text is also to be found by. */
export const synonymsFile = z.strictObject({
  /** Groups of words that mean the same to somebody who searches. */
  synonyms: z.array(
    z
      .array(term, { error: 'is not a list of words such as [Dampfbremse, Dampfsperre]' })
      .min(2, { error: 'has fewer than two words: a word alone has no synonym' }),
    { error: 'is not a list of groups' },
  ),
  /** Words that others are made with, for languages that write them together: `bremse` in `Dampfbremse`. */
  parts: z.array(term, { error: 'is not a list of words' }).default([]),
});

export type Synonyms = z.output<typeof synonymsFile>;
