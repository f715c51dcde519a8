import { z } from 'zod';
import { DOCUMENT_FIELDS, languageCode, listedProduct, product, TEXT_FIELDS } from '#contracts/product/index.ts';
import { imageAsset } from './image-asset.ts';
import { mentions } from './mentions.ts';

export { imageAsset, type ImageAsset } from './image-asset.ts';
export { overlayEntry, type OverlayEntry } from './overlay-entry.ts';

/**
 * What the collections hold: the shapes that pages and components work with. Product fields come from the
 * contract; what is added here is what the site derives from the snapshot.
 */

/** A document as it is offered: mirrored into the site or linked at its source. */
const documentAsset = z.object({
  field: z.enum(DOCUMENT_FIELDS),
  /** Root-relative when mirrored, absolute when linked. */
  href: z.string(),
  fileName: z.string(),
  language: languageCode,
  mimeType: z.string(),
  /** Unknown when the source doesn't say. */
  bytes: z.int().optional(),
  /** When the document was last changed, as its server says. */
  modified: z.coerce.date().optional(),
  /** Why the last attempt to fetch it failed: no answer with a file, or a file that is no PDF. */
  failure: z.enum(['unreachable', 'rejected']).optional(),
  /** SHA-256 of its bytes, hex; unknown where only the source has them. */
  digest: z.string().optional(),
});

/** A document that held before the one that is offered, and stays available. */
const earlierDocument = documentAsset
  .pick({ field: true, href: true, fileName: true, language: true, bytes: true, digest: true })
  .extend({
    /** Until when it was offered. */
    replaced: z.coerce.date(),
  });

/** How a page came into the archive. */
const archiveNote = z.object({
  since: z.coerce.date(),
  /** `gone`: the interface no longer knows it. `unlisted`: it is no longer in the assortment or its languages. */
  reason: z.enum(['gone', 'unlisted']),
  /** False when the product is still offered in another language. */
  everywhere: z.boolean(),
});

/**
 * Collection `products`, id `<language>/<gtin>`: the record of the interface and what the site derives from the snapshot.
 * It is read from the snapshot when a page is rendered.
 */
export const productEntry = product.extend({
  /** Language that the snapshot keeps the record under. */
  storedAs: languageCode,
  /** Language of the page; `language` is that of the record, and another one when this is a fallback. */
  pageLanguage: languageCode,
  /** True when no translation exists and the record is in another language. */
  fallback: z.boolean(),
  /** Languages that the product really is translated into, and still offered in. */
  translations: z.array(languageCode),
  /** Languages that it was translated into and is no longer offered in. */
  archivedTranslations: z.array(languageCode).default([]),
  /** `diffrana-vario-75-9524010000016`: last part of the page's path. */
  slug: z.string(),
  /** Slugs of the pages in all languages. */
  slugs: z.record(languageCode, z.string()),
  family: z.string().optional(),
  /** Place in the assortment. */
  position: z.int(),
  documents: z.array(documentAsset),
  /** Declarations of performance that held before, newest first. */
  earlierDocuments: z.array(earlierDocument).default([]),
  /** Which kinds of documents there are. */
  documentFields: z.array(z.enum(DOCUMENT_FIELDS)).default([]),
  /** Names each attribute and each material in its place, the same in every language: `catalogue/join-keys.ts`. */
  attributeKeys: z.array(z.string()).default([]),
  materialKeys: z.array(z.string()).default([]),
  imageAsset: imageAsset.optional(),
  bannerAsset: imageAsset.optional(),
  /** Texts that the record lacks and that stand here as the record in another language has them. */
  borrowed: z.object({ language: languageCode, fields: z.array(z.enum(TEXT_FIELDS)) }).optional(),
  /** When the record last changed. */
  changed: z.coerce.date(),
  /** Set on what is no longer offered: its page stays, with its last record and its documents, but nothing lists it. */
  archived: archiveNote.optional(),
});

/** What lists, navigation and neighbours show of a product. */
const listedOfPage = productEntry.pick({
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
export const listedEntry = listedProduct.extend(listedOfPage.shape);

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
  /** Language -> path of the same thing in that language, itself included. */
  translations: z.record(languageCode, z.string()),
  /** Root-relative path of the page. */
  path: z.string(),
});

/** Collection `posts`, id `<language>/<slug>`. */
export const postEntry = article.extend({
  slug: z.string(),
  /** True if an editor wrote the excerpt: one that was taken from the text isn't shown above it. */
  hasLead: z.boolean(),
  sticky: z.boolean(),
  categories: z.array(termReference),
  tags: z.array(termReference),
  /** What its text may mean products by. */
  mentions,
});

/** Collection `pages`, id `<language>/<path of slugs>`. */
export const pageEntry = article.extend({
  /** `company/sustainability`: the slugs from the top, without language prefixes. */
  slugPath: z.string(),
  /** Ids of the pages above, from the top. */
  ancestors: z.array(z.string()),
  order: z.int(),
});

/** Collection `media`, id as at the publishing site. */
export const mediaEntry = z.object({
  title: z.string(),
  url: z.string(),
  mimeType: z.string(),
  bytes: z.int().optional(),
  image: imageAsset.optional(),
});

/** Collection `languages`, id = code, in the interface's order. */
export const languageEntry = z.object({ code: languageCode, name: z.string(), position: z.int(), main: z.boolean() });

/** Collection `families`, id as in the assortment. */
export const familyEntry = z.object({
  /** Language (or language without region) -> name; falls back to the id. */
  names: z.record(z.string(), z.string()),
  descriptions: z.record(z.string(), z.string()),
  position: z.int(),
});

/** Collection `localPages`: pages written here, id `<language>/<slug>`; the same slug means a translation. */
export const localPageEntry = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1).optional(),
  /** Place in the footer; pages without one are not listed there. */
  order: z.int().optional(),
});

/**
 * Collection `norms`: what a norm is about, id as `normSlug` makes it. `product`: a harmonised product standard.
 * `national`: a national one, which isn't harmonised.
 */
export const normEntry = z.strictObject({
  /** As it is cited, without edition: `EN 1928`. */
  norm: z.string().min(1),
  kind: z.enum(['product', 'classification', 'test', 'national']),
  /** Language, with or without region -> texts. */
  texts: z.record(
    z.string(),
    z.strictObject({
      title: z.string().min(1),
      /** One sentence: what its values say. */
      line: z.string().min(1),
      /** What is measured, and how. */
      measures: z.string().min(1),
      /** How to read a value. */
      reading: z.string().min(1),
    }),
  ),
});

const staleSource = z.object({ name: z.enum(['product', 'publishing']), asOf: z.coerce.date() });

/** Collection `snapshot`, one entry `current`: what the pages were built from. */
export const snapshotEntry = z.object({
  digest: z.string(),
  taken: z.coerce.date(),
  /** Sources that the last run went without, and when what is stored of them was read. */
  stale: z.array(staleSource),
});

export type DocumentAsset = z.output<typeof documentAsset>;
export type EarlierDocumentAsset = z.output<typeof earlierDocument>;
export type ListedEntry = z.output<typeof listedEntry>;
export type ProductEntry = z.output<typeof productEntry>;
export type PostEntry = z.output<typeof postEntry>;
export type PageEntry = z.output<typeof pageEntry>;
export type NormEntry = z.output<typeof normEntry>;
export type StaleSource = z.output<typeof staleSource>;
