import { z } from 'zod';

/** Types of animated images, which are also their extensions. */
export const ANIMATIONS = ['gif', 'png', 'webp'] as const;

/** An image that was fetched: its derived sizes are found by digest (`catalogue/image-variants.ts`). */
export const imageAsset = z.object({
  /** First 16 hex characters of the SHA-256 of the original's bytes. */
  digest: z.string(),
  width: z.int(),
  height: z.int(),
  mimeType: z.string(),
  /** Type of the original if it is animated and pages play it; its derived sizes are stills. */
  animation: z.enum(ANIMATIONS).optional(),
  alt: z.string().default(''),
  /** HTML of a caption; sanitised. */
  caption: z.string().default(''),
});

export type ImageAsset = z.output<typeof imageAsset>;
