import { createHash } from 'node:crypto';
import path from 'node:path';
import sharp, { type Raw, type Sharp } from 'sharp';
import type { ImageFormat } from '#catalogue/pictures/image-variants.ts';
import { writeOnce } from '#files/index.ts';
import type { DerivedImage } from './image-path.ts';

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
const ENCODER = `5 sharp ${sharp.versions.sharp} vips ${sharp.versions.vips}`;

export interface CachedImage {
  /** Absolute path of the file in the cache. */
  file: string;
  /** False when it was there already. */
  made: boolean;
}

export interface ImageCache {
  /**
   * Images derived from one original, each as soon as it is there. The original is read once, or not at all.
   * @param original Absolute path of the original, whose bytes their digest names.
   */
  obtain(images: readonly DerivedImage[], original: string): Promise<CachedImage>[];
}

/**
 * Derived images on disk, by the original's digest, the parameters and the encoder's version: what was made once is
 * never made again, by this run or a later one. A file appears under its name only when it is whole.
 */
export function openImageCache(folder: string): ImageCache {
  const underWay = new Map<string, Promise<CachedImage>>();
  return {
    obtain(images, original) {
      const maxWidth = Math.max(...images.map(({ width }) => width));
      let decoding: Promise<DecodedImage> | undefined;
      const decode = (): Promise<DecodedImage> => (decoding ??= decodeImage(original, maxWidth));
      const sizes = new Map<number, Promise<DecodedImage>>();
      // AVIF and WebP of a width are made of the same pixels. A JPEG is put on white before it is made smaller.
      const pixelsOf = ({ width, format }: DerivedImage): Promise<DecodedImage> => {
        if (format === 'jpeg') return decode();
        const resized = sizes.get(width) ?? decode().then((image) => resizeImage(image, width));
        sizes.set(width, resized);
        return resized;
      };
      const obtainOne = (image: DerivedImage): Promise<CachedImage> => {
        const file = path.join(folder, cacheName(image));
        const running = underWay.get(file);
        if (running) return running.then((cached) => ({ ...cached, made: false }));
        const work = obtainFile(file, image, () => pixelsOf(image)).finally(() => underWay.delete(file));
        underWay.set(file, work);
        return work;
      };
      return images.map(obtainOne);
    },
  };
}

function cacheName({ digest, width, format }: DerivedImage): string {
  const key = createHash('sha256')
    .update(JSON.stringify([digest, width, format, ENCODER]))
    .digest('hex')
    .slice(0, 32);
  return path.join(key.slice(0, 2), `${key}.${format}`);
}

async function obtainFile(
  file: string,
  image: DerivedImage,
  pixelsOf: () => Promise<DecodedImage>,
): Promise<CachedImage> {
  const bytes = await writeOnce(file, async () => deriveImage(await pixelsOf(), image));
  return { file, made: bytes !== undefined };
}

/** The pixels of an original, upright, no wider than requested. */
interface DecodedImage {
  pixels: Buffer;
  raw: Raw;
}

/** Decodes an original once for all its sizes, which is most of the work for small ones. */
async function decodeImage(original: string, maxWidth: number): Promise<DecodedImage> {
  const read = sharp(original, { limitInputPixels: MAX_INPUT_PIXELS, autoOrient: true });
  return readPixels(read.resize({ width: maxWidth, withoutEnlargement: true }).toColourspace('srgb'));
}

function resizeImage({ pixels, raw }: DecodedImage, width: number): Promise<DecodedImage> {
  return readPixels(sharp(pixels, { raw }).resize({ width, withoutEnlargement: true }));
}

async function readPixels(image: Sharp): Promise<DecodedImage> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** Makes one derived image. Metadata is left out. */
async function deriveImage(
  { pixels, raw }: DecodedImage,
  { width, format }: { width: number; format: ImageFormat },
): Promise<Buffer> {
  return ENCODE[format](sharp(pixels, { raw }).resize({ width, withoutEnlargement: true })).toBuffer();
}
