import { z } from 'zod';

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

export type ImageAsset = z.output<typeof imageAsset>;
