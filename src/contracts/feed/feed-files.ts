import { z } from 'zod';
import { isGtin13 } from '../gtin.ts';
import { HAZARD_PICTOGRAMS } from '../hazard.ts';
import { languageCode, attribute, availability, material, product, type ProductField } from '../product/index.ts';

/** Metadata of a field of the product interface: description, unit, UN/CEFACT code. */
const metaOf = (field: ProductField) => product.shape[field].meta() ?? {};

const text = (field: ProductField) => z.string().meta(metaOf(field));

const quantity = (field: ProductField) => z.number().nullable().meta(metaOf(field));

const address = (description: string) =>
  z.union([z.literal(''), z.url()]).describe(`${description}; empty if there is none`);

const amount = z.string().regex(/^\d+\.\d{2}$/);

/** Value of a field of `product.fields`: a choice is its key, a date an ISO date. Null if the product has none. */
const feedField = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();

export const feedFields = z
  .record(z.string(), feedField)
  .describe('Further fields of this manufacturer; in CSV one column each');

/**
 * A product of the feeds, in one language: the fields of the product interface with URLs of this site, and additional
 * fields. The order is that of the columns. Existing columns never change; new ones are appended.
 */
export const feedProduct = z
  .object({
    gtin: z
      .string()
      .regex(/^\d{13}$/)
      .refine(isGtin13)
      .meta(metaOf('gtin')),
    language: languageCode.describe('Language of the texts; differs from that of the feed if there is no translation'),
    item_number: text('item_number'),
    name: z.string().min(1).meta(metaOf('name')),
    family: z.string().describe('Id of the product family; empty if it belongs to none'),
    family_name: z.string().describe('Name of the family'),
    url: z.url().describe('Page of the product'),
    digital_link: z.url().describe('GS1 Digital Link, with the GTIN in 14 digits'),
    changed: z.iso.datetime().describe('Last change of the record'),
    availability: availability.meta(metaOf('availability')),
    price: amount.nullable().describe('Price of one trade unit in price_currency; null if none is published'),
    price_tax: z.enum(['net', 'gross']).nullable().describe('Whether the price excludes or includes VAT'),
    unit_price: amount.nullable().describe('Price of one unit of measure in price_currency'),
    unit_price_unit: z.string().describe('Unit of measure: UN/CEFACT code, such as MTR, MTK, KGM or LTR'),
    length: quantity('length'),
    width: quantity('width'),
    height: quantity('height'),
    area: quantity('area'),
    joint: quantity('joint'),
    weight: quantity('weight'),
    folded: z.boolean().nullable().meta(metaOf('folded')),
    trade_unit: text('trade_unit'),
    packaging_unit: text('packaging_unit'),
    packaging_unit_quantity: quantity('packaging_unit_quantity'),
    bundle_unit: text('bundle_unit'),
    bundle_unit_quantity: quantity('bundle_unit_quantity'),
    erp_description: text('erp_description'),
    erp_description_short: text('erp_description_short'),
    intro: text('intro'),
    application: text('application'),
    application_short: text('application_short'),
    advantages: text('advantages'),
    substrate: text('substrate'),
    limiting_factors: text('limiting_factors'),
    datasheet: address('Datasheet (PDF)'),
    safety_datasheet: address('Safety datasheet (PDF)'),
    declaration_of_performance: address('Declaration of performance (PDF)'),
    image: address('Picture of the product (JPEG, up to 1200 px wide)'),
    banner: address('Picture of the product that contains its name (JPEG)'),
    image_300: address('Picture of the product (JPEG, up to 300 px wide)'),
    image_800: address('Picture of the product (JPEG, up to 800 px wide)'),
    image_1600: address('Picture of the product (JPEG, up to 1600 px wide)'),
    attributes: z
      .array(attribute.extend({ norm: z.string().meta(attribute.shape.norm.meta() ?? {}) }))
      .describe('Declared specifications, measured under norms; JSON in CSV'),
    materials: z.array(material).describe('Materials of the product; JSON in CSV'),
    unit_price_measure: z
      .string()
      .regex(/^(\d+(\.\d+)?)?$/)
      .describe('Content of one trade unit in unit_price_unit; empty if unknown'),
    variant_group: z
      .string()
      .describe('Common to all variants of a product: the GTIN of the first one; empty without variants'),
    hazard_signal: z.enum(['', 'danger', 'warning']).describe('Signal word of the label (CLP)'),
    hazard_pictograms: z.array(z.enum(HAZARD_PICTOGRAMS)).describe('GHS pictograms of the label; JSON in CSV'),
    hazard_statements: z
      .array(
        z.object({
          code: z.string().describe('H or EUH statement; empty for statements required by other law'),
          text: z.string().min(1).describe('Wording in the language of the feed'),
        }),
      )
      .describe('Hazard statements of the label (Regulation (EC) No 1272/2008); JSON in CSV'),
    price_currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable()
      .describe('Currency of the prices: ISO 4217 code; null if none is published'),
    documents: z
      .array(
        z.object({
          kind: z.string().describe('Kind of the document, such as epd, dopc, cad or bim'),
          url: z.url(),
          media_type: z.string(),
          bytes: z.int().nullable().describe('Size; null if unknown'),
        }),
      )
      .describe('Documents of further kinds, such as EPD, CAD or BIM; JSON in CSV'),
    fields: feedFields.optional(),
  })
  .meta({ title: 'Product', description: 'A product of the catalogue in one language' });

/** Columns, in the order of every format. Those of `fields` follow in CSV: `fields.roll_weight`. */
export const FEED_COLUMNS = Object.keys(feedProduct.omit({ fields: true }).shape) as readonly FeedColumn[];

const file = z.object({
  url: z.url(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const digest = z.string().describe('Digest of the catalogue state, as in build.json and changes.json');

/** `products.json`, or one part of it. */
export const feedDocument = z.object({
  $schema: z.url(),
  language: languageCode,
  products: z.array(feedProduct),
});

/** `index.json` of a language: all files of its feeds. */
export const feedIndex = z
  .object({
    language: languageCode,
    digest,
    products: z.int().describe('Number of products in all parts of a format'),
    schema: z.url().describe('JSON Schema of a product'),
    files: z.array(
      file.extend({
        format: z
          .enum(['ndjson', 'csv', 'json', 'merchant'])
          .describe('Large catalogues are split into several parts per format; a product stays in its part'),
      }),
    ),
    deltas: z
      .array(file.extend({ since: digest }))
      .describe('Changes since earlier states; without the delta of your state, fetch all parts'),
  })
  .meta({ title: 'Feeds of a language' });

/** `delta/<digest>.json`: changes from that state of the catalogue to the current one. */
export const feedDelta = z
  .object({
    language: languageCode,
    since: digest,
    digest,
    put: z.array(feedProduct).describe('New and possibly changed products, in their current state'),
    remove: z.array(z.string()).describe('GTINs of products that are no longer offered'),
  })
  .meta({ title: 'Changes of the feeds of a language' });

export type FeedIndex = z.output<typeof feedIndex>;
export type FeedDelta = z.output<typeof feedDelta>;
export type FeedDocument = z.output<typeof feedDocument>;

/** Published as `/feeds/<name>.schema.json`. */
export const FEED_SCHEMAS = { product: feedProduct, products: feedDocument, index: feedIndex, delta: feedDelta };

export type FeedSchemaName = keyof typeof FEED_SCHEMAS;

export const FEED_SCHEMA_NAMES = ['product', 'products', 'index', 'delta'] as const satisfies readonly FeedSchemaName[];

export type FeedProduct = z.output<typeof feedProduct>;

export type FeedColumn = Exclude<keyof FeedProduct, 'fields'>;
