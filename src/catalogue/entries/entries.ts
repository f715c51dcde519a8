import { z } from 'zod';
import { DOCUMENT_FIELDS, languageCode, listedProduct, product, TEXT_FIELDS } from '#contracts/product/index.ts';
import { imageAsset } from './head-entry.ts';
import { mentions } from './podcast.ts';

export { imageAsset, type ImageAsset } from './head-entry.ts';
export { overlayEntry, type OverlayEntry } from './overlay-entry.ts';

/**
 * Entries of the collections, as used by pages and components. Product fields come from the contract; the fields added
 * here are derived from the snapshot.
 */

/** A document: mirrored into the site or linked at its source. */
const documentAsset = z.object({
  field: z.enum(DOCUMENT_FIELDS),
  /** Root-relative when mirrored, absolute when linked. */
  href: z.string(),
  fileName: z.string(),
  language: languageCode,
  mimeType: z.string(),
  /** Undefined if the source doesn't report it. */
  bytes: z.int().optional(),
  /** Last modification, as reported by its server. */
  modified: z.coerce.date().optional(),
  /** Reason why the last fetch failed: no response with a file, or not a PDF. */
  failure: z.enum(['unreachable', 'rejected']).optional(),
  /** SHA-256 of the file, hex; undefined for linked files. */
  digest: z.string().optional(),
});

/** A superseded document that stays available. */
const earlierDocument = documentAsset
  .pick({ field: true, href: true, fileName: true, language: true, bytes: true, digest: true })
  .extend({
    /** Date of its replacement. */
    replaced: z.coerce.date(),
  });

/** Details of an archived page. */
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

/**
 * Collection `products`, id `<language>/<gtin>`: the record of the interface, with fields derived from the snapshot. It
 * is read from the snapshot when a page is rendered.
 */
export const productEntry = product.extend({
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
  /** `diffrana-vario-75-9524010000016`: last part of the page's path. */
  slug: z.string(),
  /** Slugs of the pages in all languages. */
  slugs: z.record(languageCode, z.string()),
  family: z.string().optional(),
  /** Position in the assortment. */
  position: z.int(),
  documents: z.array(documentAsset),
  /** Superseded declarations of performance, newest first. */
  earlierDocuments: z.array(earlierDocument).default([]),
  /** Fields with a document. */
  documentFields: z.array(z.enum(DOCUMENT_FIELDS)).default([]),
  /** Language-independent keys of attributes and materials, by index: `catalogue/join-keys.ts`. */
  attributeKeys: z.array(z.string()).default([]),
  materialKeys: z.array(z.string()).default([]),
  imageAsset: imageAsset.optional(),
  bannerAsset: imageAsset.optional(),
  /** Missing texts that were filled in from another language. */
  borrowed: z.object({ language: languageCode, fields: z.array(z.enum(TEXT_FIELDS)) }).optional(),
  /** When the record last changed. */
  changed: z.coerce.date(),
  /**
   * Set for products that are no longer offered. The page remains with its last record and documents, but isn't listed.
   */
  archived: archiveDetails.optional(),
});

/** Fields of a product in lists, navigation and links to neighbours. */
const pageFields = productEntry.pick({
  documentFields: true,
  attributeKeys: true,
  materialKeys: true,
  storedAs: true,
  pageLanguage: true,
  fallback: true,
  translations: true,
  archivedTranslations: true,
  slug: true,
  slugs: true,
  family: true,
  position: true,
  imageAsset: true,
  changed: true,
  archived: true,
});
export const productListEntry = listedProduct.extend(pageFields.shape);

const termReference = z.object({ slug: z.string(), name: z.string() });

const article = z.object({
  /** Id at the publishing site. */
  sourceId: z.int(),
  language: languageCode,
  title: z.string(),
  /** Sanitised; internal links point into this site, images carry `data-asset`. */
  html: z.string(),
  /** Plain text. */
  excerpt: z.string(),
  published: z.coerce.date(),
  modified: z.coerce.date(),
  author: z.string().optional(),
  authorSlug: z.string().optional(),
  featured: imageAsset.optional(),
  /** Language -> path of each translation, including the page itself. */
  translations: z.record(languageCode, z.string()),
  /** Root-relative path of the page. */
  path: z.string(),
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
export type StaleSource = z.output<typeof staleSource>;
