import { z } from 'zod';
import type { ProductRecord } from '#contracts/product/index.ts';
import { asciiSlug } from '../addresses/slugs.ts';
import { parseAttributeValue, sortValue } from '../quantities/attribute-value.ts';

/** Values of a product's uses. They are part of URLs and data files. */
export const PLACES = ['indoors', 'outdoors'] as const;

/** Substrates, as trade groups: a product that bonds to planed timber needn't bond to sawn timber. */
export const SUBSTRATES = [
  'osb',
  'chipboard',
  'planed-timber',
  'sawn-timber',
  'wood-fibre-boards',
  'gypsum-boards',
  'plaster',
  'masonry',
  'concrete',
  'metal',
  'rigid-plastics',
  'glass',
  'membranes',
] as const;

export const SEASONS = ['winter'] as const;

/** Highest lowest working temperature of a product for the winter, in °C. */
const WINTER_FROM = -5;

/** Uses that products can be filtered by. */
export const USE_FIELDS = ['place', 'substrates', 'season'] as const;

export type UseField = (typeof USE_FIELDS)[number];

/** Uses of a product, for facets, search and pages. */
export const productUses = z.object({
  place: z.array(z.enum(PLACES)),
  substrates: z.array(z.enum(SUBSTRATES)),
  /** Substrates that need a primer. */
  primed: z.array(z.enum(SUBSTRATES)),
  /** Derived from the lowest working temperature. */
  season: z.array(z.enum(SEASONS)),
});

export type ProductUses = z.output<typeof productUses>;

const listOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .array(z.enum(values, { error: `is not one of ${values.join(', ')}` }), {
      error: `is not a list, such as [${values.slice(0, 2).join(', ')}]`,
    })
    .min(1, { error: 'is empty: leave the field out instead' })
    .refine((list) => new Set(list).size === list.length, { error: 'contains a value twice' })
    .optional();

/** Field `uses` of a product overlay. */
export const overlayUses = z
  .strictObject({
    place: listOf(PLACES),
    substrates: listOf(SUBSTRATES),
    primed: listOf(SUBSTRATES),
    /** Lowest working temperature in °C. A declared one takes precedence. */
    from: z.number({ error: 'is not a temperature in °C, such as -5' }).min(-60).max(60).optional(),
  })
  .superRefine(({ substrates = [], primed = [], ...others }, context) => {
    if (substrates.length + primed.length === 0 && Object.values(others).every((value) => value === undefined))
      context.addIssue({ code: 'custom', message: 'is empty: leave the field out instead' });
    const both = primed.filter((name) => substrates.includes(name));
    if (both.length > 0)
      context.addIssue({
        code: 'custom',
        path: ['primed'],
        message: `repeats ${both.join(', ')} of \`substrates\`: name each substrate once`,
      });
  });

export type OverlayUses = z.output<typeof overlayUses>;

/** Names of the attribute that declares the working temperature, as `asciiSlug`. */
const WORKING_TEMPERATURE =
  /^(?:verarbeitungstemperatur|(?:application|working|processing|installation)-temperature|temperature-(?:de-mise-en-oeuvre|d-application))/;

/**
 * Combines the uses of an overlay with the declared working temperature.
 * @param record Record whose declared values apply to all languages.
 * @returns Undefined if nothing is known.
 */
export function findUses(
  written: OverlayUses | undefined,
  { attributes, language }: Pick<ProductRecord, 'attributes' | 'language'>,
): ProductUses | undefined {
  const declared = (attributes ?? []).find(({ name }) => WORKING_TEMPERATURE.test(asciiSlug(name ?? '')));
  const value = declared && parseAttributeValue(declared.value ?? '', declared.norm ?? '', language);
  const isUpperBound = value?.kind === 'bound' && value.operator.startsWith('≤');
  const from = (value && !isUpperBound ? sortValue(value) : undefined) ?? written?.from;
  const { place = [], substrates = [], primed = [] } = written ?? {};
  const season = from !== undefined && from <= WINTER_FROM ? [...SEASONS] : [];
  if (place.length + substrates.length + primed.length + season.length === 0) return undefined;
  return { place, substrates, primed, season };
}
