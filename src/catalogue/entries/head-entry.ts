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
