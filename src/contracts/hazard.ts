import { z } from 'zod';
import { baseLanguage, pickLocalized, pickText } from './localized.ts';
import texts from './hazard-texts.json' with { type: 'json' };

/**
 * Labelling of hazardous mixtures by Regulation (EC) 1272/2008 (CLP), as needed for building products. An offer must
 * state the hazards on its page; a link to the safety data sheet is not enough (article 48).
 */

/**
 * Hazard statements of annex III and supplemental statements, in the order and wording of the regulation. `{route}`,
 * `{organs}`, `{effect}` and `{substances}` are placeholders; the text after `=` is the default. Repealed codes are
 * omitted.
 */
export const HAZARD_TEXTS: Readonly<Record<keyof typeof texts, Readonly<Record<string, string>>>> = texts;

export const HAZARD_PICTOGRAMS = [
  'GHS01',
  'GHS02',
  'GHS03',
  'GHS04',
  'GHS05',
  'GHS06',
  'GHS07',
  'GHS08',
  'GHS09',
] as const;
export type HazardPictogram = (typeof HAZARD_PICTOGRAMS)[number];

const SIGNAL_WORDS = ['danger', 'warning'] as const;

/** Code of a hazard statement. A combined statement for several routes of exposure is one code: `H300+H310`. */
type HazardStatement = keyof typeof HAZARD_TEXTS;

/** True if a code is listed in annex III; case-sensitive (`H360Fd`). */
export function isHazardStatement(code: string): code is HazardStatement {
  return Object.hasOwn(HAZARD_TEXTS, code);
}

/** A placeholder of a statement: substances, organs, an effect, or a route of exposure. */
type HazardDetail = 'substances' | 'organs' | 'effect' | 'route';

/**
 * Formats a statement in a language, `de` or `de-at`. Falls back to English if the regulation's wording in that
 * language isn't included.
 * @param details Localized details. A route of exposure is appended after a space.
 */
export function formatHazardStatement(
  code: HazardStatement,
  language: string,
  details: { readonly [Detail in HazardDetail]?: string | undefined } = {},
): string {
  const texts = HAZARD_TEXTS[code];
  const text = texts[baseLanguage(language)] ?? texts['en'] ?? '';
  return text
    .replace('{route}', details.route === undefined ? '' : ` ${details.route}`)
    .replace('{substances}', () => details.substances ?? '')
    .replace(
      /\{(organs|effect)=([^{}]*)\}/,
      (_, detail: 'organs' | 'effect', stated: string) => details[detail] ?? stated,
    );
}

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

/** Returns the hazard statements of a label in a language, with substances and other details filled in. */
export function hazardLines({ statements, contains = [] }: HazardLabel, language: string, mainLanguage: string) {
  const localize = (texts?: z.output<typeof localizedText>) => texts && pickText(texts, language, mainLanguage);
  const substances = Array.isArray(contains) ? contains : (pickLocalized(contains, language, mainLanguage) ?? []);
  return statements.map(({ code, organs, effect, route }) => {
    const details = { organs: localize(organs), effect: localize(effect), route: localize(route) };
    return { code, text: formatHazardStatement(code, language, { ...details, substances: substances.join(', ') }) };
  });
}
