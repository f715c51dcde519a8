import { z } from 'zod';
import { hasUserInfo } from '#contracts/index.ts';
import { languageCode } from '#contracts/product/index.ts';
import { hooks } from './hook-options.ts';
import { seo } from './seo-options.ts';
import { webAddress } from './web-address.ts';

const share = (fallback: number) => z.number().min(0).max(1).default(fallback);

/** What a run does when a source can't be read. */
const whenDown = z
  .strictObject({
    /**
     * `fail` stops the run; `use-last-good` keeps what is stored, for at most `maxAgeHours`, and shows its date in the
     * site's footer; `skip` keeps what is stored whatever its age and says nothing on the site.
     * @default 'fail'
     */
    whenDown: z.enum(['fail', 'use-last-good', 'skip']).default('fail'),
    /** @default 168 */
    maxAgeHours: z.number().positive().default(168),
  })
  .prefault({});

/** How the sync reads its sources, and what it refuses to believe. */
const sync = z.strictObject({
  /** Requests under way at once, at most; fewer while the server is slow. @default 8 */
  concurrency: z.int().min(1).max(64).default(8),
  /** For one request, in ms. @default 20000 */
  timeoutMs: z.int().min(10).max(300_000).default(20_000),
  /** Attempts after the first, for what can heal. @default 3 */
  retries: z.int().min(0).max(10).default(3),
  /** Largest image or document, in bytes. @default 26214400 */
  maxMediaBytes: z
    .int()
    .min(1024)
    .default(25 * 1024 * 1024),
  /**
   * Images and documents are asked for again when a record that names them has changed, and else after so many hours.
   * @default 1
   */
  recheckMediaHours: z.number().min(0).default(1),
  /**
   * Page heads of a server without a list of them are asked for one by one when their posts or pages have changed, and
   * all of them after so many hours. @default 24
   */
  recheckHeadHours: z.number().min(0).default(24),
  /** A product is gone when the interface has answered 404 in so many runs in a row over so many hours. */
  confirmRemovals: z
    .strictObject({
      /** @default 3 */
      runs: z.int().min(1).max(100).default(3),
      /** @default 24 */
      hours: z.number().min(0).default(24),
    })
    .prefault({}),
  /**
   * What happens to an invalid value in a field that a record can do without: `keep` uses the last good value of that
   * field, or leaves the field out if there is none; `drop` always leaves it out; both warn in every run. `strict`
   * refuses the record, and its last good version stays. A product's name, GTIN and language must always be right.
   * @default 'keep'
   */
  invalidFields: z.enum(['keep', 'drop', 'strict']).default('keep'),
  /**
   * After so many hours everything is read whole again, posts, pages and media as well as products, whatever lists and
   * dates say: a new text under an old date is seen this much later at the latest.
   * @default 168
   */
  fullReadHours: z.number().positive().default(168),
  /**
   * Maximum shares of known records, overall and in each language; a run that exceeds one is refused. 1 turns a guard
   * off.
   */
  guard: z
    .strictObject({
      /** Records that go; three may always. @default 0.1 */
      removed: share(0.1),
      /** Records that lose the same field. @default 0.2 */
      emptied: share(0.2),
      /** Prices that move by more than `priceMove`, or become 0. @default 0.2 */
      repriced: share(0.2),
      /** @default 0.5 */
      priceMove: z.number().positive().default(0.5),
      /**
       * Pages of the publishing site that would be kept from search engines, or would name another host as their
       * address; three may always, the home page never. @default 0.5
       */
      hidden: share(0.5),
      /** Records that are answered by an error, by HTML or not at all; three may always. @default 0.2 */
      failed: share(0.2),
    })
    .prefault({}),
  sources: z.strictObject({ product: whenDown, publishing: whenDown }).prefault({}),
});

/**
 * Where the site is published. Each of them gets its headers and redirects in its own form; `none` is for hosts without
 * either (GitHub Pages, a bucket), where moved pages leave a small page behind that leads on.
 */
export const HOSTS = ['none', 'cloudflare', 'netlify', 'vercel', 'azure', 'gitlab', 'nginx', 'caddy'] as const;

const host = z.enum(HOSTS);

const crawling = z.enum(['allow', 'disallow']);

/** What robots.txt says to the crawlers of AI services. They are named one by one, whatever is chosen. */
const crawlers = z.strictObject({
  /** Those that answer questions with a link to their source. @default 'allow' */
  aiSearch: crawling.default('allow'),
  /** Those that collect texts to train models with. @default 'allow' */
  aiTraining: crawling.default('allow'),
});

/** `/.well-known/security.txt` (RFC 9116). */
const security = z.strictObject({
  /** Addresses for reports of security problems, the preferred one first: `mailto:…`, `https://…`. */
  contact: z.array(z.url({ protocol: /^(https|mailto|tel)$/ })).min(1),
  /** Until when this holds, at most a year ahead; a build warns 30 days before. */
  expires: z.iso.date(),
  /** Address of the rules for those who look for such problems. */
  policy: webAddress(undefined, /^https$/).optional(),
});

/** IndexNow: tells search engines which pages have changed, when `npm run announce` is called after a deployment. */
const indexNow = z.strictObject({
  /** Any 8 to 128 letters, digits and hyphens; it stands in a file of the site, and so is no secret. */
  key: z.string().regex(/^[A-Za-z0-9-]{8,128}$/, { error: 'is not 8 to 128 letters, digits and hyphens' }),
  /** @default 'https://api.indexnow.org/indexnow' */
  endpoint: webAddress().default('https://api.indexnow.org/indexnow'),
});

const isFunction = (value: unknown): boolean => typeof value === 'function';

const localized = z.record(languageCode, z.string());

/** One row of the range: a product, the family it belongs to, and (by its place in the list) its order. */
export interface AssortmentRow {
  gtin: string;
  family?: string | undefined;
}

const assortment = z.union([
  z.string().refine((text) => !hasUserInfo(text), { error: 'holds a user name or a password: take them out' }),
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

/** The podcast of the publishing site, where it has one. */
const podcast = z.strictObject({
  /**
   * `mirror` copies the audio of episodes into the site; `link` points at the source, which then sees who listens.
   * @default 'mirror'
   */
  audio: z.enum(['mirror', 'link']).default('mirror'),
  /** Largest audio file, in bytes. @default 524288000 */
  maxAudioBytes: z
    .int()
    .min(1024)
    .default(500 * 1024 * 1024),
  /**
   * How many episodes the feed of a language has at the most, the newest; it leads to another with the older ones.
   * @default 250
   */
  feedItems: z.int().min(1).default(250),
  /**
   * Servers date a new title or page of an episode, and not all of them its chapters and other texts: each episode is
   * read anew after so many hours. @default 1
   */
  recheckHours: z.number().min(0).default(1),
});

/** The choices of a site, in `src/sortiment.config.ts`. Unknown keys are refused. */
export const options = z.strictObject({
  site: z.strictObject({
    /** Name of the site, in titles and feeds. */
    name: z.string().min(1),
    /** One sentence about the site by language. */
    description: localized.default({}),
    /** The site's public address; SITE_URL in the environment goes before it. */
    url: webAddress().default('http://localhost:4321'),
  }),
  /** Where the site is published: it gets its headers and redirects in that host's form. @default 'none' */
  host: host.default('none'),
  crawlers: crawlers.prefault({}),
  seo: seo.prefault({}),
  security: security.optional(),
  indexNow: indexNow.optional(),
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
  podcast: podcast.prefault({}),
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
  mediaHosts: z.array(z.string().regex(/^[^/@\s]+$/, { error: 'is not a host such as "cdn.example.com"' })).default([]),
  sync: sync.prefault({}),
  hooks: hooks.default([]),
});

export type Options = z.output<typeof options>;
export type OptionsInput = z.input<typeof options>;

export type Host = (typeof HOSTS)[number];
