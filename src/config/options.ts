import { createRequire } from 'node:module';
import { z } from 'zod';
import { hasUserInfo, formatProblems, parseValue, SortimentError } from '#contracts/index.ts';
import { languageCode } from '#contracts/product/index.ts';
import { documentKinds } from '#contracts/product/document-kinds.ts';
import { TRADE_FORMAT_NAMES } from '#contracts/feed/trade-formats.ts';
import { hooks } from './hook-options.ts';
import { brand, byLanguage, components, customCss, navigation, pages, product } from './site-options.ts';
import { webAddress } from './web-address.ts';
import {
  SEPARATORS,
  PAGE_KINDS,
  templateVariables,
  unknownVariables,
  type PageKind,
} from '#contracts/seo/templates.ts';

const { resolve } = createRequire(import.meta.url);

function hasShareImageEngine(): boolean {
  try {
    for (const name of ['satori', '@fontsource/instrument-sans/package.json']) resolve(name);
    return true;
  } catch {
    return false;
  }
}

const templateText = z
  .string()
  .min(1, { error: 'is empty: leave it out instead' })
  .max(500, { error: 'has more than 500 characters' });

/** One text for all languages, or texts by language, with or without region. */
const template = z.union([templateText, z.record(languageCode, templateText)], {
  error: 'is neither a text nor texts by language',
});

const pageTemplates = z.strictObject({ title: template.optional(), description: template.optional() });

const code = z.string().regex(/^[\w.=+/-]{4,200}$/, {
  error: 'is not the plain code: copy the value of `content` from the tag of the service',
});

/** Metadata for search engines and link previews. */
const seo = z.strictObject({
  /** Separator between the parts of a title. @default '·' */
  separator: z.enum(SEPARATORS).default('·'),
  /**
   * Templates of titles and descriptions by page kind: `{ product: { title: '%%title%% %%sep%% %%category%%' } }`.
   * Variables without a value are omitted, with their separator. `PAGE_KINDS` lists the kinds, `templateVariables` the
   * variables of each.
   */
  templates: z
    .partialRecord(z.enum(Object.keys(PAGE_KINDS) as [PageKind, ...PageKind[]]), pageTemplates)
    .default({})
    .superRefine((templates, context) => {
      for (const [kind, parts] of Object.entries(templates) as [PageKind, z.output<typeof pageTemplates>][])
        for (const [part, input] of Object.entries(parts))
          for (const name of textsOf(input).flatMap((value) => unknownVariables(kind, value)))
            context.addIssue({
              code: 'custom',
              path: [kind, part],
              message: `has the variable %%${name}%%, which these pages don't have; they have ${templateVariables(kind).join(', ')}`,
            });
    }),
  /** Verification codes of webmaster services, placed on the home pages. */
  verification: z
    .strictObject({
      google: code.optional(),
      bing: code.optional(),
      yandex: code.optional(),
      baidu: code.optional(),
      pinterest: code.optional(),
      facebook: code.optional(),
      ahrefs: code.optional(),
    })
    .prefault({}),
  /** WebSub hub named in feeds; `npm run announce` notifies it of changed feeds. */
  hub: webAddress().optional(),
  /** Profiles of the manufacturer on other sites: `sameAs` of structured data. */
  profiles: z.array(webAddress()).default([]),
});

function textsOf(input: z.output<typeof template> | undefined): string[] {
  return typeof input === 'string' ? [input] : Object.values(input ?? {});
}

const share = (fallback: number) => z.number().min(0).max(1).default(fallback);

/** Behaviour of a run if a source can't be read. */
const whenDown = z
  .strictObject({
    /**
     * `fail` stops the run. `use-last-good` uses stored data for at most `maxAgeHours` and shows its date in the
     * footer. `skip` uses stored data of any age and shows nothing.
     * @default 'fail'
     */
    whenDown: z.enum(['fail', 'use-last-good', 'skip']).default('fail'),
    /** @default 168 */
    maxAgeHours: z.number().positive().default(168),
  })
  .prefault({});

/** How the sync reads its sources, and which results it rejects. */
const sync = z.strictObject({
  /** Maximum of parallel requests; adapts downwards while the server is slow. @default 8 */
  concurrency: z.int().min(1).max(64).default(8),
  /** Time limit of one request, in ms. @default 20000 */
  timeoutMs: z.int().min(10).max(300_000).default(20_000),
  /** Retries of a request that failed temporarily. @default 3 */
  retries: z.int().min(0).max(10).default(3),
  /** Maximum size of an image or document, in bytes. @default 26214400 */
  maxMediaBytes: z
    .int()
    .min(1024)
    .default(25 * 1024 * 1024),
  /**
   * Images and documents are requested again when a record that references them changes, and otherwise after this time.
   * @default 1
   */
  recheckMediaHours: z.number().min(0).default(1),
  /**
   * For servers without a list of page heads. A head is fetched again when its post or page changes, and all heads
   * after this time. @default 24
   */
  recheckHeadHours: z.number().min(0).default(24),
  /** A product is removed after 404 responses in this many consecutive runs over this many hours. */
  confirmRemovals: z
    .strictObject({
      /** @default 3 */
      runs: z.int().min(1).max(100).default(3),
      /** @default 24 */
      hours: z.number().min(0).default(24),
    })
    .prefault({}),
  /**
   * Handling of an invalid value in an optional field. `keep` uses the last good value, or omits the field if there is
   * none. `drop` always omits it. Both warn in every run. `strict` rejects the record and retains its last good
   * version. Name, GTIN and language of a product must always be valid.
   * @default 'keep'
   */
  invalidFields: z.enum(['keep', 'drop', 'strict']).default('keep'),
  /**
   * Interval of full reads of all products, posts, pages and media. A full read finds changes that lists and dates
   * don't reveal, such as a new text under an old date.
   * @default 168
   */
  fullReadHours: z.number().positive().default(168),
  /**
   * Maximum shares of known records, overall and per language. A run that exceeds one is rejected. 1 disables a guard.
   */
  guard: z
    .strictObject({
      /** Removed records; three are always allowed. @default 0.1 */
      removed: share(0.1),
      /** Records that lost the same field. @default 0.2 */
      emptied: share(0.2),
      /** Prices that changed by more than `priceMove` or became 0. @default 0.2 */
      repriced: share(0.2),
      /** @default 0.5 */
      priceMove: z.number().positive().default(0.5),
      /**
       * Pages of the publishing site that become hidden from search engines or get a canonical URL on another host.
       * Three are always allowed; the home page never. @default 0.5
       */
      hidden: share(0.5),
      /** Records whose request failed, or returned an error or HTML; three are always allowed. @default 0.2 */
      failed: share(0.2),
    })
    .prefault({}),
  sources: z.strictObject({ product: whenDown, publishing: whenDown }).prefault({}),
});

/**
 * Hosting platforms. Headers and redirects are written in the format of the platform. `none` is for hosts without
 * either (GitHub Pages, a bucket), where moved pages become small pages with a redirect.
 */
export const HOSTS = ['none', 'cloudflare', 'netlify', 'vercel', 'azure', 'gitlab', 'nginx', 'caddy'] as const;

const host = z.enum(HOSTS);

const crawling = z.enum(['allow', 'disallow']);

/** Rules of robots.txt for the crawlers of AI services. Each crawler is listed by name. */
const crawlers = z.strictObject({
  /** Crawlers of services that answer questions with a link to the source. @default 'allow' */
  aiSearch: crawling.default('allow'),
  /** Crawlers that collect training data. @default 'allow' */
  aiTraining: crawling.default('allow'),
});

/** `/.well-known/security.txt` (RFC 9116). */
const security = z.strictObject({
  /** URIs for reports of security problems, most preferred first: `mailto:…`, `https://…`. */
  contact: z.array(z.url({ protocol: /^(https|mailto|tel)$/ })).min(1),
  /** Expiry date, at most a year ahead; a build warns 30 days before. */
  expires: z.iso.date(),
  /** URL of the disclosure policy. */
  policy: webAddress(undefined, /^https$/).optional(),
});

/** IndexNow: notifies search engines of changed pages when `npm run announce` runs after a deployment. */
const indexNow = z.strictObject({
  /** Any 8 to 128 letters, digits and hyphens. The key is published in a file of the site, so it is no secret. */
  key: z.string().regex(/^[A-Za-z0-9-]{8,128}$/, { error: 'is not 8 to 128 letters, digits and hyphens' }),
  /** @default 'https://api.indexnow.org/indexnow' */
  endpoint: webAddress().default('https://api.indexnow.org/indexnow'),
});

const isFunction = (value: unknown): boolean => typeof value === 'function';

const localized = z.record(languageCode, z.string());

/** A row of the assortment: a product and its family. The position in the list determines the order. */
export interface AssortmentRow {
  gtin: string;
  family?: string | undefined;
}

const assortment = z.union([
  z.string().refine((text) => !hasUserInfo(text), { error: 'contains a user name or password: remove it' }),
  z.custom<() => AssortmentRow[] | Promise<AssortmentRow[]>>(isFunction, {
    error: 'is neither a path, a URL nor a function',
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

const currency = z.string().refine((code) => Intl.supportedValuesOf('currency').includes(code), {
  error: 'is not an ISO 4217 currency code such as "CHF"',
});

const priceTax = z.enum(['none', 'net', 'gross']);

const price = z.strictObject({
  /**
   * The interface doesn't specify tax or quantity, so prices stay hidden until configured: for all languages, or by
   * language (`{ de: 'gross', fr: 'net' }`).
   * @default 'none'
   */
  show: z
    .union([priceTax, z.record(languageCode, priceTax)], {
      error: 'is not "none", "net" or "gross", for all languages or by language',
    })
    .default('none'),
  /** VAT rate in percent by language; with `gross` it is added to the list price. */
  vat: z.record(languageCode, z.number().min(0).max(100)).default({}),
  /**
   * Currency of the interface's prices, which aren't converted: an ISO 4217 code for all languages, or one for each
   * language (`{ de: 'EUR', 'de-ch': 'CHF' }`).
   * @default 'EUR'
   */
  currency: z
    .union([currency, z.record(languageCode, currency)], { error: 'is neither a code nor codes by language' })
    .default('EUR'),
});

/** Options of the publishing site's podcast. */
const podcast = z.strictObject({
  /**
   * `mirror` copies the audio files into the site; `link` links to the source, which then can log the listeners.
   * @default 'mirror'
   */
  audio: z.enum(['mirror', 'link']).default('mirror'),
  /** Maximum size of an audio file, in bytes. @default 524288000 */
  maxAudioBytes: z
    .int()
    .min(1024)
    .default(500 * 1024 * 1024),
  /**
   * Maximum number of episodes in a feed. The feed holds the newest ones and links to an archive feed with the older
   * ones.
   * @default 250
   */
  feedItems: z.int().min(1).default(250),
  /**
   * Interval after which each episode is read again. Servers update the date for a new title or page, but not always
   * for new chapters and other texts. @default 1
   */
  recheckHours: z.number().min(0).default(1),
});

const mailbox = z.email();

/** Ways to ask about a product, shown as buttons on its page. Those left out aren't shown. */
const contact = z.strictObject({
  /** Mailbox for questions; the subject names the product. One for all languages, or by language. */
  email: byLanguage(mailbox, 'an email address').optional(),
  /** Mailbox, or URL of a form, for samples. One for all languages, or by language. */
  sample: byLanguage(z.union([mailbox, webAddress()]), 'an email address or URL').optional(),
  /** International phone number as it is displayed: `+44 20 7946 0123`. One for all languages, or by language. */
  phone: byLanguage(
    z.string().regex(/^\+[\d ()/.-]{6,24}$/),
    'an international phone number such as "+44 20 7946 0123"',
  ).optional(),
});

const etimCode = (letters: string, example: string) =>
  z.string().regex(new RegExp(`^${letters}\\d{6}$`), { error: `is not an ETIM code such as ${example}` });

const etimFeature = z.strictObject({
  /** Dimension (`width`), norm (`EN 1849-2`) or name of a declared property, as in the product interface. */
  from: z.string().min(1),
  /** Unit of a numeric feature, as it follows the declared numbers: `mm`. */
  unit: z.string().min(1).max(20).optional(),
  /** Values of the feature by declared value: `{ E: 'EV000123' }`. */
  values: z.record(z.string(), z.string().min(1).max(60)).optional(),
});

/** ETIM classes of families, for BMEcat. */
const etim = z.strictObject({
  /** ETIM release that the codes are from: `9.0`. */
  release: z.string().regex(/^\d{1,2}\.\d{1,2}$/, { error: 'is not an ETIM release such as 9.0' }),
  /** Class and features by id of the family. */
  families: z.record(
    z.string(),
    z.strictObject({
      class: etimCode('EC', 'EC002547'),
      /** Feature code -> declared property. */
      features: z.record(etimCode('EF', 'EF000008'), etimFeature).default({}),
    }),
  ),
});

/** Options of a site, in `src/sortiment.config.ts`. Unknown keys are rejected. */
export const options = z.strictObject({
  site: z.strictObject({
    /** Name of the site, in titles and feeds. */
    name: z.string().min(1),
    /** One-sentence description of the site by language. */
    description: localized.default({}),
    /** Public URL of the site; SITE_URL in the environment takes precedence. */
    url: webAddress().default('http://localhost:4321'),
  }),
  /**
   * Folder of the catalogue in a project with other pages, below Astro's `base`: `/catalogue`. Astro's settings then
   * remain those of the project. @default '/'
   */
  path: z
    .string()
    .regex(/^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/, {
      error: 'is not a path of letters, digits and hyphens such as "/catalogue"',
    })
    .default('/'),
  brand: brand.prefault({}),
  customCss,
  components,
  navigation: navigation.prefault({}),
  pages: pages.prefault({}),
  product: product.prefault({}),
  /** Hosting platform, for headers and redirects in its format. @default 'none' */
  host: host.default('none'),
  crawlers: crawlers.prefault({}),
  seo: seo.prefault({}),
  security: security.optional(),
  indexNow: indexNow.optional(),
  /** The manufacturer, shown on every product page as required by distance-selling law. */
  maker: z.strictObject({
    name: z.string().min(1),
    address: z.array(z.string()).min(1),
    /** Country of the address, ISO 3166-1: `DE`. Pages show its localized name below the other lines. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, { error: 'is not a two-letter country code in capitals, such as DE' })
      .optional(),
    email: z.email(),
  }),
  contact: contact.prefault({}),
  /** Fallback language of texts, also used for `x-default`. */
  mainLanguage: languageCode,
  /** Languages of the interface to build. @default 'all' */
  languages: z.union([z.literal('all'), z.array(languageCode).min(1)]).default('all'),
  /**
   * Source of the GTIN list: a folder or file (YAML, CSV), the http(s) URL of a file, or a function.
   * @default 'content/assortment'
   */
  assortment: assortment.default('content/assortment'),
  price: price.prefault({}),
  /** Languages whose pages also show inches, feet and pounds. @default ['en-us'] */
  imperial: z.array(languageCode).default(['en-us']),
  /**
   * Generates a preview image for each product and language. An image takes about 0.1 seconds of CPU time and is
   * regenerated when its content changes. Needs the packages `satori` and `@fontsource/instrument-sans`.
   * @default true if they are installed
   */
  shareImages: z.boolean().default(hasShareImageEngine),
  /**
   * `mirror` copies documents into the site, so that they stay available with it; `link` links to the source.
   * @default 'mirror'
   */
  documents: z.enum(['mirror', 'link']).default('mirror'),
  /**
   * Further kinds of documents, at most seven: `{ key, labels, field, types }`. `epd`, `dopc`, `cad` and `bim` have
   * labels in all languages; other keys need `labels` by language. `field` is a field of the product interface with a
   * URL or a list of URLs; `documents` of an overlay takes precedence. `types` are file extensions: by default those of
   * drawings for `cad`, those of models for `bim`, and `pdf`.
   */
  documentKinds,
  podcast: podcast.prefault({}),
  /** Product data as files for shops and dealers. */
  shops: z
    .strictObject({
      /**
       * Feeds per language as NDJSON, CSV and JSON, and for Google Merchant Center if prices are gross. @default true
       */
      feeds: z.boolean().default(true),
      /**
       * One file per product and language, in the format of the product interface. Hosts may limit the number of files.
       * @default true
       */
      records: z.boolean().default(true),
      /** Formats of the trade, next to the feeds. A change rewrites the files of up to 5,000 products. */
      trade: z.array(z.enum(TRADE_FORMAT_NAMES)).default([]),
      etim: etim.optional(),
    })
    .prefault({}),
  publishing: z
    .strictObject({
      /** Rules for the language of a post or page. The first match wins; the fallback is the main language. */
      language: z.array(languageRule).default([]),
      /** Rules for posts and pages that translate each other. */
      translations: z
        .strictObject({
          /** Prefix of tags shared by translated posts. Tags with this prefix are hidden. */
          tagPrefix: z.string().min(1).optional(),
          /** Groups of slugs of translated pages. */
          slugs: z.array(z.array(z.string()).min(2)).default([]),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Hosts that images and documents may be fetched from, in addition to the upstreams. */
  mediaHosts: z.array(z.string().regex(/^[^/@\s]+$/, { error: 'is not a host such as "cdn.example.com"' })).default([]),
  sync: sync.prefault({}),
  hooks: hooks.default([]),
});

export type Options = z.output<typeof options>;
export type OptionsInput = z.input<typeof options>;
type FieldsInput = NonNullable<NonNullable<OptionsInput['product']>['fields']>;

export type Host = (typeof HOSTS)[number];

/**
 * Validates the options of `src/sortiment.config.ts` and fills in the defaults.
 * @throws SortimentError CONFIG_INVALID that lists every problem.
 */
export function defineConfig<const Fields extends FieldsInput>(
  input: OptionsInput & { readonly product?: { readonly fields?: Fields | undefined } | undefined },
): Options & { product: { fields: Fields } } {
  const parsed = parseValue(options, input);
  // The type of the fields is that of the input, so that pages have typed values.
  if (parsed.ok) return parsed.value as Options & { product: { fields: Fields } };
  throw new SortimentError(
    'CONFIG_INVALID',
    `src/sortiment.config.ts has a problem:\n${formatProblems(parsed.problems)}`,
    {
      hint: 'Correct the options named above. The configuration reference lists all options.',
    },
  );
}
