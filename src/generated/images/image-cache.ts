import { createHash } from 'node:crypto';
import path from 'node:path';
import sharp, { type Raw, type Sharp } from 'sharp';
import type { ImageFormat } from '#catalogue/images/image-variants.ts';
import { writeOnce } from '#files/replace-file.ts';

/** Rejects larger originals, because a small file can expand to gigabytes. */
const MAX_INPUT_PIXELS = 100_000_000;

/**
 * Settings measured on product images by time and SSIM. A higher AVIF effort saves 9 % but takes twice as long. The
 * JPEG is only for old browsers and link previews.
 */
const ENCODE: Record<ImageFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 50, effort: 1, chromaSubsampling: '4:2:0' }),
  webp: (image) => image.webp({ quality: 75, effort: 2 }),
  jpeg: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: 80, progressive: true }),
};

/** Encoder parameters, as a part of cache keys. */
const ENCODER = `5 sharp ${sharp.versions.sharp} vips ${sharp.versions.vips}`;

export interface CachedImage {
  /** Absolute path of the file in the cache. */
  file: string;
  /** False if it was cached. */
  made: boolean;
}

export interface ImageCache {
  /**
   * Returns the images derived from one original, each as soon as it is available. The original is decoded at most
   * once.
   * @param original Absolute path of the original.
   */
  obtain(images: readonly DerivedImage[], original: string): Promise<CachedImage>[];
}

/**
 * Opens a cache of derived images on disk, keyed by the original's digest, the parameters and the encoder's version.
 * Files are written atomically.
 */
export function openImageCache(folder: string): ImageCache {
  const pending = new Map<string, Promise<CachedImage>>();
  return {
    obtain(images, original) {
      const maxWidth = Math.max(...images.map(({ width }) => width));
      let decoding: Promise<DecodedImage> | undefined;
      const decode = (): Promise<DecodedImage> => (decoding ??= decodeImage(original, maxWidth));
      const sizes = new Map<number, Promise<DecodedImage>>();
      // AVIF and WebP of a width share pixels. A JPEG is flattened onto white before resizing.
      const pixelsOf = ({ width, format }: DerivedImage): Promise<DecodedImage> => {
        if (format === 'jpeg') return decode();
        const resized = sizes.get(width) ?? decode().then((image) => resizeImage(image, width));
        sizes.set(width, resized);
        return resized;
      };
      const getImage = (image: DerivedImage): Promise<CachedImage> => {
        const file = path.join(folder, cacheName(image));
        const running = pending.get(file);
        if (running) return running.then((cached) => ({ ...cached, made: false }));
        const work = getFile(file, image, () => pixelsOf(image)).finally(() => pending.delete(file));
        pending.set(file, work);
        return work;
      };
      return images.map(getImage);
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

async function getFile(file: string, image: DerivedImage, pixelsOf: () => Promise<DecodedImage>): Promise<CachedImage> {
  const bytes = await writeOnce(file, async () => deriveImage(await pixelsOf(), image));
  return { file, made: bytes !== undefined };
}

/** Pixels of an original, upright and not wider than requested. */
interface DecodedImage {
  pixels: Buffer;
  raw: Raw;
}

/** Decodes an original once for all sizes, because decoding dominates small sizes. */
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

/** Encodes a derived image without metadata. */
async function deriveImage(
  { pixels, raw }: DecodedImage,
  { width, format }: { width: number; format: ImageFormat },
): Promise<Buffer> {
  return ENCODE[format](sharp(pixels, { raw }).resize({ width, withoutEnlargement: true })).toBuffer();
}

/** Data in the path of a derived image, `/_images/0123456789abcdef-640.avif`. */
export interface DerivedImage {
  path: string;
  /** First 16 hex characters of the SHA-256 of the original. */
  digest: string;
  width: number;
  format: ImageFormat;
}

const IMAGE_PATH = /\/_images\/([0-9a-f]{16})-([1-9]\d{0,4})\.(avif|webp|jpg)/;
/** Animated originals, which are served unchanged. */
const ANIMATION_PATH = /\/_images\/([0-9a-f]{16})\.(?:gif|png|webp)/;
/** Previews (`../previews`), named by a digest of their content. */
const PREVIEW_PATH = /\/_images\/preview\/[a-z0-9-]+\/(?:\d{13}|site)-[0-9a-f]{16}\.jpg/;
const ALL_PATHS = new RegExp([IMAGE_PATH, ANIMATION_PATH, PREVIEW_PATH].map(({ source }) => source).join('|'), 'g');

/** Parses the path of a derived image. Undefined for other paths. */
export function parseImagePath(path: string): DerivedImage | undefined {
  const match = IMAGE_PATH.exec(path);
  return match?.[0] === path ? fromMatch(match) : undefined;
}

/** Returns the digest in the path of an animation. Undefined for other paths. */
export function parseAnimationPath(path: string): string | undefined {
  const match = ANIMATION_PATH.exec(path);
  return match?.[0] === path ? match[1] : undefined;
}

/** Returns all distinct derived images that a built file refers to. */
export function findImagePaths(text: string): DerivedImage[] {
  return listImagePaths(text).flatMap((path) => parseImagePath(path) ?? []);
}

/** Returns the distinct paths of all generated images in a text, including previews. */
export function listImagePaths(text: string): string[] {
  return [...new Set(text.match(ALL_PATHS))];
}

function fromMatch([path, digest = '', width, extension]: RegExpExecArray): DerivedImage {
  return { path, digest, width: Number(width), format: extension === 'jpg' ? 'jpeg' : (extension as 'avif' | 'webp') };
}
