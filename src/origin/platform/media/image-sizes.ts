import type { Sharp } from 'sharp';
import { fitSize, requiredSizes, type ImageDimensions } from '#contracts/core/image-sizes.ts';
import { openImage, openSource, type ImageSource } from './image-work.ts';

export const QUALITY = 82;
export const WEBP_QUALITY = 86;

/** Image types that can be resized, each to its own type. */
export const RESIZABLE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
] as const;
export type ResizableType = (typeof RESIZABLE_TYPES)[number];

export function isResizable(mimeType: string): mimeType is ResizableType {
  return (RESIZABLE_TYPES as readonly string[]).includes(mimeType);
}

/** Maximum side of the main image. Larger originals get a scaled replacement. */
export const LONGEST_SIDE = 2560;

export interface ImageFile extends ImageDimensions {
  bytes: Uint8Array;
}

/**
 * Creates the smaller sizes of an image that the publishing interface offers, by name.
 *
 * @param options.names names of the sizes to create, @default all
 * @param opened the image, if it is already open
 */
export async function makeImageSizes(
  bytes: Uint8Array,
  { mimeType, upright = false, names }: { mimeType: ResizableType; upright?: boolean; names?: readonly string[] },
  opened?: ImageSource,
): Promise<Record<string, ImageFile>> {
  const full = await measureImage(bytes, upright);
  const source = opened ?? (await openSource(bytes, upright, LONGEST_SIDE));
  const sizes: Record<string, ImageFile> = {};
  for (const size of requiredSizes(full)) {
    if (names && !names.includes(size.name)) continue;
    const box = fitSize(full, size);
    sizes[size.name] = await resizeImage(source, { ...box, crop: size.crop, mimeType });
  }
  return sizes;
}

/** Returns width and height, optionally after rotation by EXIF. */
export async function measureImage(bytes: Uint8Array, upright = false): Promise<ImageDimensions> {
  const { width, height, orientation = 1 } = await openImage(bytes).metadata();
  return upright && orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Resizes an image to exactly these measures and encodes it. */
export async function resizeImage(
  source: ImageSource,
  options: ImageDimensions & { crop: boolean; mimeType: ResizableType },
): Promise<ImageFile> {
  const { width, height, crop, mimeType } = options;
  const resized = source().resize({ width, height, fit: crop ? 'cover' : 'fill' });
  return encodeImage(resized, mimeType);
}

export async function encodeImage(image: Sharp, mimeType: ResizableType): Promise<ImageFile> {
  const { data, info } = await withEncoder(image, mimeType).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

function withEncoder(image: Sharp, mimeType: ResizableType): Sharp {
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
