import type { Sharp } from 'sharp';
import { openImage } from './image-work.ts';
import { sizesOf, type ImageSize } from './image-sizes.ts';

export const QUALITY = 82;
export const WEBP_QUALITY = 86;

/** Types that sizes can be made of, each in its own. */
export const SIZED_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'] as const;
export type SizedType = (typeof SIZED_TYPES)[number];

export interface ImageFile {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/**
 * The smaller sizes of a picture that the publishing interface offers, by name.
 *
 * @param wanted names of sizes, when not all of them
 */
export async function makeImageSizes(
  bytes: Uint8Array,
  { mimeType, upright, wanted }: { mimeType: SizedType; upright?: boolean; wanted?: readonly string[] },
): Promise<Record<string, ImageFile>> {
  const { width, height } = await measureImage(bytes, upright);
  const sizes: Record<string, ImageFile> = {};
  for (const size of sizesOf(width, height)) {
    if (wanted && !wanted.includes(size.name)) continue;
    const box = fitSize({ width, height }, size);
    sizes[size.name] = await resizeImage(bytes, { ...box, crop: size.crop, mimeType, upright: upright ?? false });
  }
  return sizes;
}

/** Width and height as seen: turned by EXIF if wanted. */
export async function measureImage(bytes: Uint8Array, upright = false): Promise<{ width: number; height: number }> {
  const { width, height, orientation = 1 } = await openImage(bytes).metadata();
  return upright && orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Encodes a picture in exactly this size. */
export async function resizeImage(
  bytes: Uint8Array,
  about: { width: number; height: number; crop: boolean; mimeType: SizedType; upright: boolean },
): Promise<ImageFile> {
  const { width, height, crop, mimeType, upright } = about;
  const image = openImage(bytes);
  const turned = upright ? image.autoOrient() : image;
  const resized = turned.resize({ width, height, fit: crop ? 'cover' : 'fill' });
  return encodeImage(resized, mimeType);
}

export async function encodeImage(image: Sharp, mimeType: SizedType): Promise<ImageFile> {
  const { data, info } = await encoderOf(image, mimeType).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

/** Measures that fit a size: inside its box, or cut to it; never larger than the picture. */
export function fitSize(
  { width, height }: { width: number; height: number },
  size: Pick<ImageSize, 'width' | 'height' | 'crop'>,
): { width: number; height: number } {
  const highest = size.height > 0 ? size.height : Infinity;
  if (size.crop) return { width: Math.min(width, size.width), height: Math.min(height, highest) };
  const scale = Math.min(1, size.width / width, highest / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
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
