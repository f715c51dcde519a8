import { z } from 'zod';
import { HAZARD_PICTOGRAMS, isHazardStatement, SIGNAL_WORDS, type HazardStatement } from './hazard.ts';

/** A text for all languages, or texts by language: `de`, `de-at`. */
const localizedText = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))]);

const hazardCode = z.string().transform((input, context): HazardStatement => {
  // Labels write combined codes as `H300 + H310`.
  const code = input
    .split('+')
    .map((part) => part.trim())
    .join('+');
  if (isHazardStatement(code)) return code;
  context.addIssue({
    code: 'custom',
    message: `"${input}" is not a hazard statement of annex III of Regulation (EC) No 1272/2008. Copy the code from the safety data sheet; its case matters.`,
  });
  return z.NEVER;
});

/** A code, or an object with a code and the details of its statement. */
const hazardStatement = z.preprocess(
  (input) => (typeof input === 'string' ? { code: input } : input),
  z.strictObject({
    code: hazardCode,
    organs: localizedText.optional(),
    effect: localizedText.optional(),
    route: localizedText.optional(),
  }),
);

/** Hazard label of a mixture (Regulation (EC) No 1272/2008), as written in an overlay. */
export const hazardLabel = z
  .strictObject({
    signal: z.enum(SIGNAL_WORDS, { error: 'is neither "danger" nor "warning"' }).optional(),
    pictograms: z
      .array(z.enum(HAZARD_PICTOGRAMS, { error: 'is not one of GHS01 to GHS09' }))
      .max(5)
      .default([]),
    statements: z.array(hazardStatement).min(1, { error: 'is empty: remove `hazard` if the product is not hazardous' }),
    /** Substances named by EUH208: the same in all languages, or by language. */
    contains: z
      .union([z.array(z.string().min(1)).min(1), z.record(z.string(), z.array(z.string().min(1)).min(1))])
      .optional(),
    /** True if a training is required before use (Regulation (EC) 1907/2006, annex XVII, entry 74). */
    diisocyanates: z.boolean().default(false),
  })
  .refine(({ statements, contains }) => !statements.some(({ code }) => code === 'EUH208') || contains, {
    path: ['contains'],
    error: 'is missing: EUH208 names the substances',
  })
  .refine(({ pictograms, signal }) => pictograms.length === 0 || signal, {
    path: ['signal'],
    error: 'is missing: pictograms require the signal word of the label',
  });

export type HazardLabel = z.output<typeof hazardLabel>;
