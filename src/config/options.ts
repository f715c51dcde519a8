import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { hooks } from './hook-options.ts';
import { crawlers, host, indexNow, security } from './site-options.ts';
import { sync } from './sync-options.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';

const localized = z.record(languageCode, z.string());

/** One row of the range: a product, the family it belongs to, and (by its place in the list) its order. */
export interface AssortmentRow {
  gtin: string;
  family?: string | undefined;
}

const assortment = z.union([
  z.string(),
  z.custom<() => AssortmentRow[] | Promise<AssortmentRow[]>>(isFunction, {
    error: 'is neither a path, an address nor a function',
  }),
]);

const languageRule = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('category'),
    terms: z.record(z.string(), languageCode).meta({ description: 'Category slug -> language' }),
  }),
  z.strictObject({
    by: z.literal('tag'),
    terms: z.record(z.string(), languageCode).meta({ description: 'Tag slug -> language' }),
  }),
  z.strictObject({
    by: z.literal('slug-prefix'),
    prefixes: z
      .record(z.string(), languageCode)
      .meta({ description: 'Start of the slug -> language; the prefix is left out of the address' }),
  }),
]);

const shownPrice = z.enum(['none', 'net', 'gross']);

const price = z.strictObject({
  /**
   * The interface says nothing of tax or quantity, so prices stay hidden until somebody states what they are: for all
   * languages, or by language (`{ de: 'gross', fr: 'net' }`).
   * @default 'none'
   */
  show: z
    .union([shownPrice, z.record(languageCode, shownPrice)], {
      error: 'is none of "none", "net" and "gross", for all languages or by language',
    })
    .default('none'),
  /** VAT in percent by language; with `gross` it is added to the list price. */
  vat: z.record(languageCode, z.number().min(0).max(100)).default({}),
});

/** The choices of a site, in `src/sortiment.config.ts`. Unknown keys are refused. */
export const options = z.strictObject({
  site: z.strictObject({
    /** Name of the site, in titles and feeds. */
    name: z.string().min(1),
    /** One sentence about the site by language. */
    description: localized.default({}),
    /** The site's public address; SITE_URL in the environment goes before it. */
    url: z.url({ protocol: /^https?$/ }).default('http://localhost:4321'),
  }),
  /** Where the site is published: it gets its headers and redirects in that host's form. @default 'none' */
  host: host.default('none'),
  crawlers: crawlers.prefault({}),
  security: security.optional(),
  indexNow: indexNow.optional(),
  /**
   * Folder of the program that draws the files of the demo, below the project's. A project without it has no demo.
   */
  demo: z.string().optional(),
  /** Who answers for the products; shown on every product page, as distance-selling rules ask. */
  maker: z.strictObject({
    name: z.string().min(1),
    address: z.array(z.string()).min(1),
    /** Country of the address, ISO 3166-1: `DE`. Each page names it in its language, below the other lines. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, { error: 'is no code of a country in two capital letters, such as DE' })
      .optional(),
    email: z.email(),
  }),
  /** The language that texts fall back to and that `x-default` names. */
  mainLanguage: languageCode,
  /** Which of the interface's languages are built. @default 'all' */
  languages: z.union([z.literal('all'), z.array(languageCode).min(1)]).default('all'),
  /**
   * Where the list of GTINs comes from: a folder or file (YAML, CSV), an http(s) address that serves one, or a function.
   * @default 'content/assortment'
   */
  assortment: assortment.default('content/assortment'),
  price: price.prefault({}),
  /** Languages whose pages also give dimensions in inches, feet and pounds. @default ['en-us'] */
  imperial: z.array(languageCode).default(['en-us']),
  /**
   * Draws a picture for link previews for each product. It takes about a tenth of a second of one core, once for each
   * product and language and again when what it shows has changed. @default true
   */
  shareImages: z.boolean().default(true),
  /**
   * `mirror` copies the documents into the site, so that they stay reachable as long as it does; `link` points at the source.
   * @default 'mirror'
   */
  documents: z.enum(['mirror', 'link']).default('mirror'),
  /** Product data as files, for shops and dealers. */
  shops: z
    .strictObject({
      /** The range in each language as NDJSON, CSV and JSON, and for Google Merchant Center where prices are gross. @default true */
      feeds: z.boolean().default(true),
      /** A file for each product and language, as the product interface gives it; a host may limit files. @default true */
      records: z.boolean().default(true),
    })
    .prefault({}),
  publishing: z
    .strictObject({
      /** How the language of a post or page is found; the first rule that matches counts, else the main language. */
      language: z.array(languageRule).default([]),
      /** Which posts and pages are translations of each other. */
      translations: z
        .strictObject({
          /** Posts that share a tag which starts with this. Such tags are not shown. */
          tagPrefix: z.string().min(1).optional(),
          /** Groups of page slugs. */
          slugs: z.array(z.array(z.string()).min(2)).default([]),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Hosts that images and documents may be fetched from, besides the upstreams themselves. */
  mediaHosts: z.array(z.string()).default([]),
  sync: sync.prefault({}),
  hooks: hooks.default([]),
});

export type Options = z.output<typeof options>;
export type OptionsInput = z.input<typeof options>;
