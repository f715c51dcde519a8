import { z } from 'zod';
import { hazardLabel } from '#contracts/hazard-label.ts';
import { readGtin } from '#contracts/index.ts';
import { decimal } from '#contracts/product/index.ts';
import { MAX_KEYPHRASE_LENGTH } from '#contracts/seo/head-values.ts';
import { templateVariables, unknownVariables } from '#contracts/seo/page-kinds.ts';

/** A GTIN as people write it; YAML makes a number of it when it stands without quotes. */
const writtenGtin = z.union([z.string(), z.number()]).transform((input, context) => {
  const reading = readGtin(String(input));
  if (reading.ok) return reading.gtin13;
  context.addIssue({ code: 'custom', message: `${reading.problem}. ${reading.hint}` });
  return z.NEVER;
});

const someGtins = z
  .array(writtenGtin)
  .min(1, { error: 'is empty: leave the field out instead' })
  .refine((gtins) => new Set(gtins).size === gtins.length, { error: 'names a product twice' });

const template = z
  .string()
  .trim()
  .min(1, { error: 'is empty: leave the field out instead' })
  .max(500, { error: 'has more than 500 characters' })
  .superRefine((text, context) => {
    for (const name of unknownVariables('product', text))
      context.addIssue({
        code: 'custom',
        message: `has the variable %%${name}%%, which product pages don't have; they have ${templateVariables('product').join(', ')}`,
      });
  });

const quantity = decimal.refine(({ value }) => value > 0, { error: 'is not more than zero' });

/** More than what a job needs by itself, in percent: overlaps, cuttings, what stays in the nozzle. */
const allowance = z.number().min(0).max(100);

const content = z.strictObject({
  value: quantity,
  unit: z.enum(['kg', 'g', 'l', 'ml', 'm', 'm²', 'm³'], {
    error: 'is none of kg, g, l, ml, m, m² and m³',
  }),
});

/** How far a trade unit goes, where its size doesn't tell. */
const coverage = z.discriminatedUnion('of', [
  /** A joint, filled over its width and depth. */
  z.strictObject({ of: z.literal('joint'), allowance: allowance.default(25) }),
  /** A bead of so many millimetres, which takes so much of the content's unit for a metre. */
  z.strictObject({ of: z.literal('bead'), diameter: quantity, perMetre: quantity, allowance: allowance.default(10) }),
  /** A surface, which takes so much of the content's unit for a square metre. */
  z.strictObject({ of: z.literal('surface'), perSquareMetre: quantity, allowance: allowance.default(5) }),
]);

/** What an overlay says of other products. */
export const overlayReferences = z.object({
  /** GTIN of the product that takes its place. */
  successor: writtenGtin.optional(),
  /** The same product in other formats: a name that all of them share, or their GTINs. */
  variants: z
    .union(
      [
        z.string().regex(/^[a-z][a-z0-9-]*$/, { error: 'is neither a name in small letters nor a list of GTINs' }),
        someGtins,
      ],
      {
        error: 'is neither a name in small letters nor a list of GTINs',
      },
    )
    .optional(),
  /** GTINs of what is used with it. */
  accessories: someGtins.optional(),
});

/** What search engines and previews are told of a product instead of what its page says by itself. */
const productSeo = z.strictObject({
  /** The whole title, and the description, with the variables of product pages: `%%title%% %%sep%% %%category%%`. */
  title: template.optional(),
  description: template.optional(),
  /** What people search for when they are to find the product. */
  keyphrase: z
    .string()
    .trim()
    .min(1, { error: 'is empty: leave the field out instead' })
    .max(MAX_KEYPHRASE_LENGTH, { error: `has more than ${MAX_KEYPHRASE_LENGTH} characters` })
    .optional(),
  /** Keeps the page out of search engines, sitemap, feeds and the site's own search. */
  noindex: z.boolean({ error: 'is neither true nor false' }).optional(),
});

/**
 * Collection `overlays`: what an editor adds to a product, id `<language>/<gtin>`. The text is the MDX itself. An
 * overlay `<gtin>` holds for all languages, and so has no text.
 */
export const overlayEntry = z
  .strictObject({
    /** Heading above the text. */
    title: z.string().min(1).optional(),
    ...overlayReferences.shape,
    /** What one trade unit holds, where its dimensions don't tell: for its unit price and for calculators. */
    content: content.optional(),
    coverage: coverage.optional(),
    hazard: hazardLabel.optional(),
    seo: productSeo.optional(),
  })
  .superRefine(({ coverage: of, content: held }, context) => {
    if (of && !held) {
      context.addIssue({
        code: 'custom',
        path: ['content'],
        message: 'is missing: `coverage` is calculated from what a trade unit holds',
      });
      return;
    }
    const units = of && (of.of === 'joint' ? ['ml', 'l'] : ['ml', 'l', 'g', 'kg']);
    if (units && held && !units.includes(held.unit)) {
      context.addIssue({
        code: 'custom',
        path: ['content', 'unit'],
        message: `is none of ${units.join(', ')}, as \`coverage\` of a ${of.of} needs it`,
      });
    }
  });

export type OverlayEntry = z.output<typeof overlayEntry>;
export type Content = z.output<typeof content>;
export type Coverage = z.output<typeof coverage>;
