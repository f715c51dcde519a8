import { z } from 'zod';
import { isGtin13 } from '../gtin.ts';
import { availability } from './availability.ts';
import { decimal } from './decimal.ts';
import { languageCode } from './language.ts';

/** Maps `null` ("not applicable") to `undefined`. */
function ifApplicable<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** A number with its unit; `unitCode` is UN/CEFACT Recommendation 20. */
function quantity(unit: string, unitCode: string | undefined, description: string) {
  return ifApplicable(decimal).meta({ unit, ...(unitCode && { unitCode }), description });
}

const text = (description: string) => z.string().meta({ description });

/** A text that may be missing or `null`. */
const optionalText = (description: string) =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? '')
    .meta({ description });

const html = (description: string) => optionalText(description).meta({ description, contentMediaType: 'text/html' });

/** A URL; an empty string or `null` means that there is no document. */
const link = (description: string) =>
  z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'is not an http(s) address' })], {
      error: 'is neither empty nor an http(s) address',
    })
    .nullish()
    .transform((value) => value || undefined)
    .optional()
    .meta({ description, format: 'uri' });

export const attribute = z.object({
  name: text('Measured property'),
  norm: optionalText('Norm of the measurement; empty if none'),
  value: text('Declared value, always shown unchanged'),
});

export const material = z.object({ name: text('Part of the product'), value: text('Material') });

/**
 * A product in one language: section 2.1 of the product interface. `z.input` is the record in JSON, `z.output` the
 * parsed record, where `null` and `""` for missing values have become `undefined`. The order of the fields is that of
 * the JSON.
 */
export const product = z.object({
  name: z.string().min(1, { error: 'is empty' }).meta({ description: 'Product name' }),
  gtin: z
    .string()
    .refine(isGtin13, { error: 'is not a GTIN-13 with a valid check digit' })
    .meta({ description: 'GTIN-13 of the product' }),
  language: languageCode.meta({ description: 'Language of the record' }),
  abas_id: optionalText('Internal product identifier of the manufacturer; not unique'),
  item_number: optionalText('Manufacturer item number'),
  price: quantity('EUR', undefined, 'Price in euro for one trade unit'),
  availability: availability.meta({ description: 'Availability' }),
  length: quantity('m', 'MTR', 'Length'),
  width: quantity('m', 'MTR', 'Width'),
  height: quantity('m', 'MTR', 'Height'),
  area: quantity('m²', 'MTK', 'Area'),
  joint: quantity('mm', 'MMT', 'Joint width'),
  weight: quantity('kg', 'KGM', 'Weight of one trade unit'),
  folded: ifApplicable(z.boolean()).meta({ description: 'Whether the product is delivered folded' }),
  trade_unit: optionalText('Name of the smallest available unit'),
  packaging_unit: optionalText('Name of the packaging unit'),
  packaging_unit_quantity: quantity('trade units', undefined, 'Trade units in one packaging unit'),
  bundle_unit: optionalText('Name of the bundle unit'),
  bundle_unit_quantity: quantity('trade units', undefined, 'Trade units in one bundle unit'),
  erp_description: optionalText('Plain-text description for ERP systems'),
  erp_description_short: optionalText('Shorter version of erp_description'),
  intro: optionalText('Short plain-text description'),
  application: html('Where in a building the product is used'),
  application_short: optionalText('Shorter, plain-text form of application'),
  advantages: html('List of advantages'),
  substrate: html('Substrates on which the product may be applied'),
  limiting_factors: html('Please note when using the product'),
  datasheet: link('Datasheet (PDF)'),
  safety_datasheet: link('Safety datasheet (PDF)'),
  declaration_of_performance: link('Declaration of performance (PDF)'),
  image: link('Image of the product'),
  banner: link('Image of the product that contains the product name'),
  attributes: z
    .array(attribute)
    .nullish()
    .transform((list) => list ?? [])
    .meta({ description: 'Specifications measured under norms' }),
  materials: z
    .array(material)
    .nullish()
    .transform((list) => list ?? [])
    .meta({ description: 'Materials of the product' }),
});

export type Product = z.output<typeof product>;
export type ProductRecord = z.input<typeof product>;
export type ProductField = keyof Product;

export const PRODUCT_FIELDS = Object.keys(product.shape) as readonly ProductField[];

/** HTML fields, in page order. */
export const TEXT_FIELDS = [
  'application',
  'advantages',
  'substrate',
  'limiting_factors',
] as const satisfies readonly ProductField[];

/** Fields of a record in lists, in addition to those of its page. */
export const listedProduct = product.pick({
  name: true,
  gtin: true,
  language: true,
  item_number: true,
  availability: true,
  application_short: true,
  intro: true,
  attributes: true,
  length: true,
  width: true,
  height: true,
  area: true,
  trade_unit: true,
  packaging_unit: true,
  packaging_unit_quantity: true,
  bundle_unit: true,
  bundle_unit_quantity: true,
  joint: true,
  weight: true,
  folded: true,
  materials: true,
});
export const LISTED_FIELDS = Object.keys(listedProduct.shape) as readonly (keyof typeof listedProduct.shape)[];

/** Documents of a product, in display order. */
export const DOCUMENT_FIELDS = [
  'datasheet',
  'safety_datasheet',
  'declaration_of_performance',
] as const satisfies readonly ProductField[];
export type DocumentField = (typeof DOCUMENT_FIELDS)[number];

export const IMAGE_FIELDS = ['image', 'banner'] as const satisfies readonly ProductField[];

/** Fields with a number and a unit, in the order of the interface. */
export const DIMENSION_FIELDS = [
  'length',
  'width',
  'height',
  'area',
  'joint',
  'weight',
] as const satisfies readonly ProductField[];
export type DimensionField = (typeof DIMENSION_FIELDS)[number];

/** Returns the unit of a field, such as `m` or `kg`, and its UN/CEFACT code. */
export function getFieldUnit(field: ProductField): { readonly unit?: string; readonly unitCode?: string } {
  return UNITS.get(field) ?? {};
}

const UNITS = new Map(
  PRODUCT_FIELDS.map((field) => {
    const { unit, unitCode } = product.shape[field].meta() ?? {};
    return [field, { ...(typeof unit === 'string' && { unit }), ...(typeof unitCode === 'string' && { unitCode }) }];
  }),
);
