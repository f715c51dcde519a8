import sharp, { type Raw, type Sharp } from 'sharp';
import type { ImageFormat } from '#catalogue/pictures/image-variants.ts';

/** Larger originals are refused: a small file can unpack to gigabytes. */
const MAX_INPUT_PIXELS = 100_000_000;

/**
 * Measured on product pictures, in time and in SSIM: one step more of effort makes an AVIF 9 % smaller and takes twice
 * as long. The JPEG is for old readers and link previews only.
 */
const ENCODE: Record<ImageFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 50, effort: 1, chromaSubsampling: '4:2:0' }),
  webp: (image) => image.webp({ quality: 75, effort: 2 }),
  jpeg: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: 80, progressive: true }),
};

/** Everything but the original that decides over the bytes; part of the cache's keys. */
export const ENCODER = `5 sharp ${sharp.versions.sharp} vips ${sharp.versions.vips}`;

/** An original, upright and unpacked, no wider than asked for. */
export interface UnpackedImage {
  pixels: Buffer;
  raw: Raw;
}

/** Unpacks an original once for all that is made of it, which is most of the work for its small sizes. */
export async function unpackImage(original: string, maxWidth: number): Promise<UnpackedImage> {
  const { data, info } = await sharp(original, { limitInputPixels: MAX_INPUT_PIXELS, autoOrient: true })
    .resize({ width: maxWidth, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** Makes one derived image. Metadata is left out. */
export async function deriveImage(
  { pixels, raw }: UnpackedImage,
  { width, format }: { width: number; format: ImageFormat },
): Promise<Buffer> {
  return ENCODE[format](sharp(pixels, { raw }).resize({ width, withoutEnlargement: true })).toBuffer();
}
