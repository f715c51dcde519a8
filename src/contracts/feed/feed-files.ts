import { z } from 'zod';
import { languageCode } from '../product/index.ts';
import { feedProduct } from './feed-product.ts';

const file = z.object({
  url: z.url(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const digest = z
  .string()
  .meta({ description: 'Names the state of the catalogue; build.json and changes.json name the same' });

/** `products.json`, or a part of it. */
export const feedDocument = z.object({
  $schema: z.url(),
  language: languageCode,
  products: z.array(feedProduct),
});

/** `index.json` of a language: everything that there is to fetch. */
export const feedIndex = z
  .object({
    language: languageCode,
    digest,
    products: z.int().meta({ description: 'How many products all parts of a format hold together' }),
    schema: z.url().meta({ description: 'JSON Schema of a product' }),
    files: z.array(
      file.extend({
        format: z.enum(['ndjson', 'csv', 'json', 'merchant']).meta({
          description: 'Large ranges come in several parts of a format; a product stays in its part',
        }),
      }),
    ),
    deltas: z.array(file.extend({ since: digest })).meta({
      description: 'What has changed since an earlier state; one that is not here any more means: fetch all parts',
    }),
  })
  .meta({ title: 'Feeds of a language' });

/** `delta/<digest>.json`: what leads from that state of the catalogue to the present one. */
export const feedDelta = z
  .object({
    language: languageCode,
    since: digest,
    digest,
    put: z.array(feedProduct).meta({ description: 'Products that are new or may be others, as they are now' }),
    remove: z.array(z.string()).meta({ description: 'GTINs of products that are no longer offered' }),
  })
  .meta({ title: 'Changes of the feeds of a language' });

export type FeedIndex = z.output<typeof feedIndex>;
export type FeedDelta = z.output<typeof feedDelta>;
export type FeedDocument = z.output<typeof feedDocument>;

/** Published as `/feeds/<name>.schema.json`. */
export const FEED_SCHEMAS = { product: feedProduct, products: feedDocument, index: feedIndex, delta: feedDelta };

export type FeedSchemaName = keyof typeof FEED_SCHEMAS;

export const FEED_SCHEMA_NAMES = ['product', 'products', 'index', 'delta'] as const satisfies readonly FeedSchemaName[];
