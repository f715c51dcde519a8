import type { IMAGE_SIZE_NAMES } from '#contracts/core/media.ts';

export interface ImageSize {
  name: (typeof IMAGE_SIZE_NAMES)[number];
  width: number;
  /** 0 is any. */
  height: number;
  /** Cut to exactly this size, around the middle. */
  crop: boolean;
}

/** The sizes that are made of an uploaded image, as far as it is larger. */
export const IMAGE_SIZES: readonly ImageSize[] = [
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'medium_large', width: 768, height: 0, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
];

/** Sizes a document would get previews in. */
export const PREVIEW_SIZES: readonly string[] = ['thumbnail', 'medium', 'large'];

/** The sizes that an image of these measures has to have. */
export function sizesOf(width: number, height: number): readonly ImageSize[] {
  return IMAGE_SIZES.filter((size) => width > size.width || (size.height > 0 && height > size.height));
}
