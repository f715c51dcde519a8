import { z } from 'zod';
import { hazardLabel } from '#contracts/hazard.ts';
import { parseGtin } from '#contracts/index.ts';
import { overlayDocuments } from '#contracts/product/document-kinds.ts';
import { decimal } from '#contracts/product/index.ts';
import { MAX_KEYPHRASE_LENGTH } from '#contracts/seo/head-values.ts';
import { templateVariables, unknownVariables } from '#contracts/seo/templates.ts';
import { WALL_PARTS } from '../wall/wall-layers.ts';
import { overlayUses } from '../products/uses.ts';

/** A GTIN in any notation. YAML parses unquoted ones as numbers. */
const writtenGtin = z.union([z.string(), z.number()]).transform((input, context) => {
  const parsed = parseGtin(String(input));
  if (parsed.ok) return parsed.gtin13;
  context.addIssue({ code: 'custom', message: `${parsed.problem}. ${parsed.hint}` });
  return z.NEVER;
});

const someGtins = z
  .array(writtenGtin)
  .min(1, { error: 'is empty: leave the field out instead' })
  .refine((gtins) => new Set(gtins).size === gtins.length, { error: 'contains a product twice' });

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

const quantity = decimal.refine(({ value }) => value > 0, { error: 'is not greater than zero' });

/** Extra consumption in percent, for overlaps, offcuts and residues. */
const allowance = z.number().min(0).max(100);

const content = z.strictObject({
  value: quantity,
  unit: z.enum(['kg', 'g', 'l', 'ml', 'm', 'm²', 'm³'], {
    error: 'is not one of kg, g, l, ml, m, m², m³',
  }),
});

/** Yield of a trade unit that doesn't follow from its dimensions. */
const coverage = z.discriminatedUnion('of', [
  /** Fills a joint over its width and depth. */
  z.strictObject({ of: z.literal('joint'), allowance: allowance.default(25) }),
  /** Applies a bead of this diameter in mm, with this consumption per metre in the unit of `content`. */
  z.strictObject({ of: z.literal('bead'), diameter: quantity, perMetre: quantity, allowance: allowance.default(10) }),
  /** Covers a surface, with this consumption per square metre in the unit of `content`. */
  z.strictObject({ of: z.literal('surface'), perSquareMetre: quantity, allowance: allowance.default(5) }),
]);

export const overlayReferences = z.object({
  successor: writtenGtin.optional(),
  /** Variants of the product: a name that they share, or their GTINs. */
  variants: z
    .union(
      [z.string().regex(/^[a-z][a-z0-9-]*$/, { error: 'is neither a lower-case name nor a list of GTINs' }), someGtins],
      {
        error: 'is neither a lower-case name nor a list of GTINs',
      },
    )
    .optional(),
  accessories: someGtins.optional(),
});

/** Metadata of a product page that overrides its defaults. */
const productSeo = z.strictObject({
  /** Full title and description, with the variables of product pages: `%%title%% %%sep%% %%category%%`. */
  title: template.optional(),
  description: template.optional(),
  /** Search phrase that should find the product. */
  keyphrase: z
    .string()
    .trim()
    .min(1, { error: 'is empty: leave the field out instead' })
    .max(MAX_KEYPHRASE_LENGTH, { error: `has more than ${MAX_KEYPHRASE_LENGTH} characters` })
    .optional(),
  /** Excludes the page from search engines, sitemap, feeds and the site search. */
  noindex: z.boolean({ error: 'is neither true nor false' }).optional(),
});

/**
 * Collection `overlays`, id `<language>/<gtin>`: editorial additions to a product. The body of the file is its MDX
 * text. An overlay `<gtin>` applies to all languages and has no text.
 */
export const overlayEntry = z
  .strictObject({
    /** Heading above the text. */
    title: z.string().min(1).optional(),
    ...overlayReferences.shape,
    /** Content of one trade unit, for unit prices and calculators, if its dimensions don't determine it. */
    content: content.optional(),
    coverage: coverage.optional(),
    uses: overlayUses.optional(),
    /** Documents of kinds in `documentKinds`: kind -> URL or URLs. */
    documents: overlayDocuments.optional(),
    hazard: hazardLabel.optional(),
    /** Part of the illustrated wall that the product forms; its page shows the wall with this part in red. */
    layer: z.enum(WALL_PARTS, { error: `is not one of ${WALL_PARTS.join(', ')}` }).optional(),
    seo: productSeo.optional(),
    /** Values of `product.fields`, which take precedence over those of the product interface. */
    fields: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine(({ coverage, content }, context) => {
    if (coverage && !content) {
      context.addIssue({
        code: 'custom',
        path: ['content'],
        message: 'is missing: `coverage` requires the content of a trade unit',
      });
      return;
    }
    const units = coverage && (coverage.of === 'joint' ? ['ml', 'l'] : ['ml', 'l', 'g', 'kg']);
    if (units && content && !units.includes(content.unit)) {
      context.addIssue({
        code: 'custom',
        path: ['content', 'unit'],
        message: `is not one of ${units.join(', ')}, which \`coverage\` of a ${coverage.of} requires`,
      });
    }
  });

export type OverlayEntry = z.output<typeof overlayEntry>;
export type Content = z.output<typeof content>;
