import { z } from 'zod';
import { HAZARD_PICTOGRAMS, isHazardStatement, SIGNAL_WORDS, type HazardStatement } from './hazard.ts';

/** A text for all languages, or by language: `de`, `de-at`. */
const words = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))]);

const hazardCode = z.string().transform((written, context): HazardStatement => {
  // `H300 + H310` is how labels write it.
  const code = written
    .split('+')
    .map((part) => part.trim())
    .join('+');
  if (isHazardStatement(code)) return code;
  context.addIssue({
    code: 'custom',
    message: `"${written}" is no hazard statement of annex III of Regulation (EC) No 1272/2008. Write the code as the safety data sheet has it, capital and small letters included.`,
  });
  return z.NEVER;
});

/** A code, or a code with what its statement leaves room for. */
const hazardStatement = z.preprocess(
  (written) => (typeof written === 'string' ? { code: written } : written),
  z.strictObject({ code: hazardCode, organs: words.optional(), effect: words.optional(), route: words.optional() }),
);

/** What the label of a hazardous mixture says (Regulation (EC) No 1272/2008), as an editor writes it down. */
export const hazardLabel = z
  .strictObject({
    signal: z.enum(SIGNAL_WORDS, { error: 'is neither "danger" nor "warning"' }).optional(),
    pictograms: z
      .array(z.enum(HAZARD_PICTOGRAMS, { error: 'is none of GHS01 to GHS09' }))
      .max(5)
      .default([]),
    statements: z.array(hazardStatement).min(1, { error: 'is empty: leave `hazard` out of what is not hazardous' }),
    /** Substances that EUH208 names: the same in all languages, or by language. */
    contains: z
      .union([z.array(z.string().min(1)).min(1), z.record(z.string(), z.array(z.string().min(1)).min(1))])
      .optional(),
    /** Says that a training is due before use (Regulation (EC) 1907/2006, annex XVII, entry 74). */
    diisocyanates: z.boolean().default(false),
  })
  .refine(({ statements, contains }) => !statements.some(({ code }) => code === 'EUH208') || contains, {
    path: ['contains'],
    error: 'is missing: EUH208 names the substances',
  })
  .refine(({ pictograms, signal }) => pictograms.length === 0 || signal, {
    path: ['signal'],
    error: 'is missing: whoever shows a pictogram shows the signal word of the label',
  });

export type HazardLabel = z.output<typeof hazardLabel>;
