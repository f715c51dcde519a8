import { z } from 'zod';
import { DOCUMENT_FIELDS, languageCode, product } from '../contracts/product/index.ts';

/**
 * What the collections hold: the shapes that pages and components work with. Product fields come from the
 * contract; what is added here is what the site derives from the snapshot.
 */

/** An image that was fetched: its derived sizes are found by digest (`catalogue/image-variants.ts`). */
export const imageAsset = z.object({
  /** First 16 hex characters of the SHA-256 of the original's bytes. */
  digest: z.string(),
  width: z.int(),
  height: z.int(),
  mimeType: z.string(),
  alt: z.string().default(''),
  /** HTML of a caption; sanitised. */
  caption: z.string().default(''),
});

/** A document as it is offered: mirrored into the site or linked at its source. */
export const documentAsset = z.object({
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
  /** False when the last attempt to reach it failed. */
  reachable: z.boolean(),
});

/** Collection `products`, id `<language>/<gtin>`. */
export const productEntry = product.extend({
  /** Language of the page; `language` is that of the record, and another one when this is a fallback. */
  pageLanguage: languageCode,
  /** True when no translation exists and the record is in another language. */
  fallback: z.boolean(),
  /** Languages that the product really is translated into. */
  translations: z.array(languageCode),
  /** `diffrana-vario-75-9524010000016`: last part of the page's path. */
  slug: z.string(),
  /** Slugs of the pages in all languages. */
  slugs: z.record(languageCode, z.string()),
  family: z.string().optional(),
  /** Place in the assortment. */
  position: z.int(),
  documents: z.array(documentAsset),
  imageAsset: imageAsset.optional(),
  bannerAsset: imageAsset.optional(),
  /** When the record last changed. */
  changed: z.coerce.date(),
});

const termReference = z.object({ slug: z.string(), name: z.string() });

const writing = z.object({
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
  featured: imageAsset.optional(),
  /** Language -> path of the same thing in that language, itself included. */
  translations: z.record(languageCode, z.string()),
  /** Root-relative path of the page. */
  path: z.string(),
});

/** Collection `posts`, id `<language>/<slug>`. */
export const postEntry = writing.extend({
  slug: z.string(),
  sticky: z.boolean(),
  categories: z.array(termReference),
  tags: z.array(termReference),
});

/** Collection `pages`, id `<language>/<path of slugs>`. */
export const pageEntry = writing.extend({
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

/** Collection `overlays`: what an editor adds to a product, id `<language>/<gtin>`. The text is the MDX itself. */
export const overlayEntry = z.strictObject({
  /** Heading above the text. */
  title: z.string().min(1).optional(),
});

/** Collection `localPages`: pages written here, id `<language>/<slug>`; the same slug means a translation. */
export const localPageEntry = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1).optional(),
  /** Place in the footer; pages without one are not listed there. */
  order: z.int().optional(),
});

/** Collection `snapshot`, one entry `current`: what the pages were built from. */
export const snapshotEntry = z.object({ digest: z.string(), taken: z.coerce.date() });

export type ImageAsset = z.output<typeof imageAsset>;
export type DocumentAsset = z.output<typeof documentAsset>;
export type ProductEntry = z.output<typeof productEntry>;
export type PostEntry = z.output<typeof postEntry>;
export type PageEntry = z.output<typeof pageEntry>;
