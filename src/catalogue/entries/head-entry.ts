import { z } from 'zod';

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

/** A path of this site with prefix, or an absolute URL. */
const address = z.string();

const picture = z.object({
  /** The mirrored image, if any. */
  asset: imageAsset.optional(),
  /** URL of the source. */
  url: address,
  width: z.int().optional(),
  height: z.int().optional(),
  type: z.string().optional(),
});

/**
 * Collection `heads`, id = path of the page: metadata from the publishing site's editors or templates. Empty values are
 * omitted from the page. URLs of the publishing site are mapped to this site.
 */
export const headEntry = z.object({
  title: z.string(),
  description: z.string(),
  /** Robots directives, in order. */
  robots: z.array(z.string()),
  /** Canonical URL, if it is another page. */
  canonical: address.optional(),
  openGraph: z.object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    images: z.array(picture),
    article: z.array(z.tuple([z.string(), z.string()])),
  }),
  /** Keys lack the prefix `twitter:`. */
  twitter: z.record(z.string(), z.string()),
  author: z.string(),
  graph: z.array(z.record(z.string(), z.unknown())),
  /** Title in breadcrumbs; empty for the page title. */
  breadcrumbTitle: z.string(),
  /** True if it is cornerstone content. */
  isCornerstone: z.boolean(),
});

export type HeadEntry = z.output<typeof headEntry>;
