import type { Sharp } from 'sharp';
import { fitSize, sizesOf, type Measures } from '#contracts/core/image-sizes.ts';
import { openImage, openSource, type ImageSource } from './image-work.ts';

export const QUALITY = 82;
export const WEBP_QUALITY = 86;

/** Types that sizes can be made of, each in its own. */
export const SIZED_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'] as const;
export type SizedType = (typeof SIZED_TYPES)[number];

/** Whether sizes can be made of a type. */
export function isSized(mimeType: string): mimeType is SizedType {
  return (SIZED_TYPES as readonly string[]).includes(mimeType);
}

/** The longest side a picture is shown with; a larger one gets a smaller stand-in. */
export const LONGEST_SIDE = 2560;

export interface ImageFile extends Measures {
  bytes: Uint8Array;
}

/**
 * The smaller sizes of a picture that the publishing interface offers, by name.
 *
 * @param wanted names of sizes, when not all of them
 * @param opened the picture, where it is open already
 */
export async function makeImageSizes(
  bytes: Uint8Array,
  { mimeType, upright = false, wanted }: { mimeType: SizedType; upright?: boolean; wanted?: readonly string[] },
  opened?: ImageSource,
): Promise<Record<string, ImageFile>> {
  const full = await measureImage(bytes, upright);
  const source = opened ?? (await openSource(bytes, upright, LONGEST_SIDE));
  const sizes: Record<string, ImageFile> = {};
  for (const size of sizesOf(full)) {
    if (wanted && !wanted.includes(size.name)) continue;
    const box = fitSize(full, size);
    sizes[size.name] = await resizeImage(source, { ...box, crop: size.crop, mimeType });
  }
  return sizes;
}

/** Width and height as seen: turned by EXIF if wanted. */
export async function measureImage(bytes: Uint8Array, upright = false): Promise<Measures> {
  const { width, height, orientation = 1 } = await openImage(bytes).metadata();
  return upright && orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Encodes a picture in exactly this size. */
export async function resizeImage(
  source: ImageSource,
  about: Measures & { crop: boolean; mimeType: SizedType },
): Promise<ImageFile> {
  const { width, height, crop, mimeType } = about;
  const resized = source().resize({ width, height, fit: crop ? 'cover' : 'fill' });
  return encodeImage(resized, mimeType);
}

export async function encodeImage(image: Sharp, mimeType: SizedType): Promise<ImageFile> {
  const { data, info } = await encoderOf(image, mimeType).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

function encoderOf(image: Sharp, mimeType: SizedType): Sharp {
  switch (mimeType) {
    case 'image/jpeg':
      return image.jpeg({ quality: QUALITY });
    case 'image/png':
      return image.png();
    case 'image/gif':
      return image.gif();
    case 'image/webp':
      return image.webp({ quality: WEBP_QUALITY });
    case 'image/avif':
      return image.avif({ quality: QUALITY, effort: 2 });
    case 'image/tiff':
      return image.tiff({ quality: QUALITY });
  }
}
