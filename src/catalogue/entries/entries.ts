import { z } from 'zod';
import { FIELD_PLACES, FIELD_TYPES, type FieldValue } from '#contracts/product/product-fields.ts';
import { draftState } from '#contracts/synced/draft.ts';
import { productUses } from '../products/uses.ts';
import { languageCode, listedProduct, product, TEXT_FIELDS, availability } from '#contracts/product/index.ts';

/** Types of animated images, also used as file extensions. */
export const ANIMATIONS = ['gif', 'png', 'webp'] as const;

/** A fetched image. Its resized variants are found by digest (`catalogue/image-variants.ts`). */
export const imageAsset = z.object({
  /** First 16 hex characters of the SHA-256 of the original. */
  digest: z.string(),
  width: z.int(),
  height: z.int(),
  mimeType: z.string(),
  /** Type of the original if it is animated and played by pages; its resized variants are stills. */
  animation: z.enum(ANIMATIONS).optional(),
  alt: z.string().default(''),
  /** Caption as sanitised HTML. */
  caption: z.string().default(''),
});

export type ImageAsset = z.output<typeof imageAsset>;

/** Prefix of paths of this site before its base URL is known: `site:/de-de/`. */
export const SITE_PREFIX = 'site:';

/** Possible mentions of products in a text, in order of appearance. */
export const mentions = z.object({
  /** GTIN-13s. */
  gtins: z.array(z.string()),
  /** Item numbers and names, as written. */
  names: z.array(z.string()),
});

export type Mentions = z.output<typeof mentions>;

/** A link to a directory or app that carries the show. */
const listenLink = z.object({
  /** Client id of the contracts: `apple-podcasts`. */
  client: z.string(),
  url: z.url(),
});

/** Collection `podcasts`, id = language: one entry per language with episodes. */
export const podcastEntry = z.object({
  language: languageCode,
  title: z.string(),
  subtitle: z.string(),
  /** Plain text. */
  summary: z.string(),
  /** Assigned podcast GUID, if any; otherwise it is derived from the feed URL. */
  guid: z.string().optional(),
  author: z.string(),
  /** E-mail address of the owner, for directories. */
  email: z.string().optional(),
  /** Category as named in directories: `{ top: 'Arts', leaf: 'Books' }`. */
  category: z.object({ top: z.string(), leaf: z.string().optional() }).optional(),
  type: z.enum(['episodic', 'serial']),
  explicit: z.boolean(),
  copyright: z.string(),
  funding: z.object({ url: z.string(), label: z.string() }).optional(),
  license: z.object({ name: z.string(), url: z.string() }).optional(),
  cover: imageAsset.optional(),
  listen: z.array(listenLink),
  /** Root-relative path of its page. */
  path: z.string(),
});

export const audioFile = z.object({
  /** Root-relative when mirrored, absolute when linked. */
  href: z.string(),
  fileName: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
  /** SHA-256 of the file, hex; undefined for linked files. */
  digest: z.string().optional(),
});

const chapter = z.object({
  startMs: z.int(),
  title: z.string(),
  /** Link: root-relative within this site, or absolute. */
  href: z.string().optional(),
  image: imageAsset.optional(),
});

/** Fields of posts, pages and episodes. */
const content = z.object({
  /** Id at the publishing site. That of an episode differs from the id of its page. */
  sourceId: z.int(),
  language: languageCode,
  title: z.string(),
  /** Sanitised; internal links point into this site, images carry `data-asset`. */
  html: z.string(),
  published: z.coerce.date(),
  modified: z.coerce.date(),
  /** Language -> path of each translation, including the entry itself. */
  translations: z.record(languageCode, z.string()),
  /** Root-relative path of its page. */
  path: z.string(),
  draft: draftState.optional(),
});

const termReference = z.object({ slug: z.string(), name: z.string() });

/** Collection `episodes`, id `<language>/<slug>`. The transcript is read when the page is rendered. */
export const episodeEntry = content.extend({
  slug: z.string(),
  /** Permanent identifier for podcast apps. */
  guid: z.string(),
  number: z.int().optional(),
  season: z.int().optional(),
  type: z.enum(['full', 'trailer', 'bonus']),
  subtitle: z.string(),
  /** Plain text. */
  summary: z.string(),
  recorded: z.coerce.date().optional(),
  durationMs: z.int(),
  explicit: z.boolean(),
  cover: imageAsset.optional(),
  /** Audio files, best first. Feeds use the MP3 if there is one. */
  audio: z.array(audioFile),
  chapters: z.array(chapter),
  /** Digest of the transcript file in the snapshot. */
  transcript: z.string().optional(),
  soundbite: z.object({ startMs: z.int(), durationMs: z.int(), title: z.string() }).optional(),
  license: z.object({ name: z.string(), url: z.string() }).optional(),
  contributors: z.array(z.object({ name: z.string(), role: z.string().optional() })),
  tags: z.array(termReference),
  /** Possible product mentions in notes and chapters. */
  mentions,
});

export type PodcastEntry = z.output<typeof podcastEntry>;
export type EpisodeEntry = z.output<typeof episodeEntry>;
export type AudioFile = z.output<typeof audioFile>;
export type EpisodeChapter = EpisodeEntry['chapters'][number];

/** A document: mirrored into the site or linked at its source. */
const documentAsset = z.object({
  /** Key of its kind. */
  field: z.string(),
  /** Root-relative when mirrored, absolute when linked. */
  href: z.string(),
  fileName: z.string(),
  language: languageCode,
  mimeType: z.string(),
  /** Undefined if the source doesn't report it. */
  bytes: z.int().optional(),
  /** Last modification, as reported by its server. */
  modified: z.coerce.date().optional(),
  /** Reason why the last fetch failed: no response with a file, or a file of another type. */
  failure: z.enum(['unreachable', 'rejected']).optional(),
  /** SHA-256 of the file, hex; undefined for linked files. */
  digest: z.string().optional(),
});

/** A superseded document that stays available. */
const earlierDocument = documentAsset
  .pick({ field: true, href: true, fileName: true, language: true, bytes: true, digest: true })
  .extend({
    replaced: z.coerce.date(),
  });

const archiveDetails = z.object({
  since: z.coerce.date(),
  /**
   * `gone`: the interface no longer knows the product. `unlisted`: the product was removed from the assortment or its
   * languages.
   */
  reason: z.enum(['gone', 'unlisted']),
  /** False if the product is still offered in another language. */
  everywhere: z.boolean(),
});

/** Value of a field of `product.fields`, with everything that pages need to show it. */
const fieldView = z.object({
  field: z.string(),
  /** In the language of the page. */
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  /** Empty if it has none. */
  unit: z.string(),
  /** Texts as in the record, or names in the language of the page with their keys. A list has several. */
  values: z.array(z.object({ key: z.string().optional(), text: z.string() })),
  show: z.array(z.enum(FIELD_PLACES)),
});

export type FieldView = z.output<typeof fieldView>;

/** Fields of a product in lists, navigation and links to neighbours, besides those of the contract. */
const pageFields = z.object({
  /** Language under which the snapshot stores the record. */
  storedAs: languageCode,
  /** Language of the page; `language` is that of the record, which differs for a fallback. */
  pageLanguage: languageCode,
  /** True if there is no translation and the record is in another language. */
  fallback: z.boolean(),
  /** Languages with a translation that is still offered. */
  translations: z.array(languageCode),
  /** Languages with a translation that is no longer offered. */
  archivedTranslations: z.array(languageCode).default([]),
  /** `vario-75-9524010000016`: last part of the page's path. */
  slug: z.string(),
  /** Slugs of the pages in all languages. */
  slugs: z.record(languageCode, z.string()),
  family: z.string().optional(),
  position: z.int(),
  documentFields: z.array(z.string()).default([]),
  /** Language-independent keys of attributes and materials, by index: `catalogue/join-keys.ts`. */
  attributeKeys: z.array(z.string()).default([]),
  materialKeys: z.array(z.string()).default([]),
  /** Uses by the overlay and the declared working temperature. */
  uses: productUses.optional(),
  /** Values of `product.fields` as pages show them. Omitted if there are none. */
  fieldViews: z.array(fieldView).optional(),
  imageAsset: imageAsset.optional(),
  changed: z.coerce.date(),
  /**
   * Set for products that are no longer offered. The page remains with its last record and documents, but isn't listed.
   */
  archived: archiveDetails.optional(),
});

export const productListEntry = listedProduct.extend(pageFields.shape);

/**
 * Collection `products`, id `<language>/<gtin>`: the record of the interface, with fields derived from the snapshot. It
 * is read from the snapshot when a page is rendered.
 */
export const productEntry = product.extend({
  ...pageFields.shape,
  documents: z.array(documentAsset),
  /** Superseded declarations, newest first. */
  earlierDocuments: z.array(earlierDocument).default([]),
  /** Values of `product.fields`. */
  fields: z.record(z.string(), z.custom<FieldValue>()).default({}),
  /** Fields of the record that the product interface's document doesn't have, as received. */
  extra: z.record(z.string(), z.unknown()).default({}),
  bannerAsset: imageAsset.optional(),
  /** Missing texts that were filled in from another language. */
  borrowed: z.object({ language: languageCode, fields: z.array(z.enum(TEXT_FIELDS)) }).optional(),
});

const article = content.extend({
  /** Plain text. */
  excerpt: z.string(),
  author: z.string().optional(),
  authorSlug: z.string().optional(),
  featured: imageAsset.optional(),
});

/** Collection `posts`, id `<language>/<slug>`. */
export const postEntry = article.extend({
  slug: z.string(),
  /** True if an editor wrote the excerpt. A generated excerpt isn't shown above the text. */
  hasLead: z.boolean(),
  sticky: z.boolean(),
  categories: z.array(termReference),
  tags: z.array(termReference),
  /** Possible product mentions in the text. */
  mentions,
});

/** Collection `pages`, id `<language>/<path of slugs>`. */
export const pageEntry = article.extend({
  /** `company/sustainability`: slugs from the top page down, without language prefixes. */
  slugPath: z.string(),
  /** Ids of the parent pages, top page first. */
  ancestors: z.array(z.string()),
  order: z.int(),
});

/** Collection `media`, id of the publishing site. */
export const mediaEntry = z.object({
  title: z.string(),
  url: z.string(),
  mimeType: z.string(),
  bytes: z.int().optional(),
  image: imageAsset.optional(),
});

/** Collection `languages`, id = code, in the order of the interface. */
export const languageEntry = z.object({ code: languageCode, name: z.string(), position: z.int(), main: z.boolean() });

/** Collection `families`, id of the assortment. */
export const familyEntry = z.object({
  /** Language, with or without region -> name; falls back to the id. */
  names: z.record(z.string(), z.string()),
  descriptions: z.record(z.string(), z.string()),
  position: z.int(),
});

/** Collection `localPages`, id `<language>/<slug>`: pages of the project. Pages with the same slug are translations. */
export const localPageEntry = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1).optional(),
  /** Position in the footer; pages without one are not listed there. */
  order: z.int().optional(),
});

/**
 * Collection `norms`: descriptions of norms, id by `normSlug`. `product` is a harmonised product standard, `national` a
 * national one that isn't harmonised.
 */
export const normEntry = z.strictObject({
  /** Designation without edition: `EN 1928`. */
  norm: z.string().min(1),
  kind: z.enum(['product', 'classification', 'test', 'national']),
  /** Language, with or without region -> texts. */
  texts: z.record(
    z.string(),
    z.strictObject({
      title: z.string().min(1),
      /** Meaning of its values, in one sentence. */
      line: z.string().min(1),
      /** Measured property and method. */
      measures: z.string().min(1),
      /** How to interpret a value. */
      reading: z.string().min(1),
    }),
  ),
});

const staleSource = z.object({ name: z.enum(['product', 'publishing']), asOf: z.coerce.date() });

/** Collection `snapshot`, single entry `current`: the snapshot that the pages were built from. */
export const snapshotEntry = z.object({
  digest: z.string(),
  taken: z.coerce.date(),
  /** Sources that the last run couldn't read, and the dates of their stored data. */
  stale: z.array(staleSource),
});

export type DocumentAsset = z.output<typeof documentAsset>;
export type EarlierDocumentAsset = z.output<typeof earlierDocument>;
export type ProductListEntry = z.output<typeof productListEntry>;
export type ProductEntry = z.output<typeof productEntry>;
export type PostEntry = z.output<typeof postEntry>;
export type PageEntry = z.output<typeof pageEntry>;
export type LanguageEntry = z.output<typeof languageEntry>;
export type FamilyEntry = z.output<typeof familyEntry>;
export type SnapshotEntry = z.output<typeof snapshotEntry>;
export type NormEntry = z.output<typeof normEntry>;

/** The public part of a change: the record and the kind of change. */
export const publicChange = z.object({
  kind: z.enum(['product', 'post', 'page', 'episode']),
  change: z.enum(['added', 'changed', 'removed']),
  gtin: z.string().optional(),
  /** Language of the record; unknown for a deleted post or page. */
  language: languageCode.optional(),
  title: z.string(),
  /** Root-relative path of its page, if any. */
  path: z.string().optional(),
  /** Changed fields of a product, under their names in the interface. */
  fields: z.array(z.string()),
  availability: z.object({ before: availability.nullable(), after: availability.nullable() }).optional(),
  /**
   * Prices as shown on the site, with two decimals; null if there was or is none. Omitted if the site shows no prices.
   */
  price: z
    .object({
      before: z.string().nullable(),
      after: z.string().nullable(),
      tax: z.enum(['net', 'gross']),
      currency: z.string().describe('ISO 4217'),
    })
    .optional(),
});

/** Collection `changes`, id = run id: a run that changed the catalogue. */
export const changeEntry = z.object({
  at: z.coerce.date(),
  /** Digest of the catalogue after the run. */
  digest: z.string(),
  /** Digest of the catalogue before the run; undefined for the first run. */
  previousDigest: z.string().optional(),
  /** False if the list of changes was truncated. */
  complete: z.boolean(),
  changes: z.array(publicChange),
});

export type PublicChange = z.output<typeof publicChange>;
export type ChangeEntry = z.output<typeof changeEntry>;
