import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import sharp, { type Raw, type Sharp } from 'sharp';
import type { DerivedImage, ImageFormat } from '#catalogue/images/image-variants.ts';
import { getErrorMessage } from '#contracts/index.ts';
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

interface CachedImage {
  /** Absolute path of the file in the cache. */
  file: string;
  /** False if it was cached. */
  made: boolean;
}

/**
 * Opens a cache of derived images on disk, keyed by the original's digest, the parameters and the encoder's version.
 * Files are written atomically.
 */
export function openImageCache(folder: string) {
  const pending = new Map<string, Promise<CachedImage>>();
  return {
    /**
     * Returns the images derived from one original, each as soon as it is available. The original is decoded at most
     * once.
     * @param original Absolute path of the original.
     */
    obtain: (images: readonly DerivedImage[], original: string): Promise<CachedImage>[] => {
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
        const { digest, width, format } = image;
        const file = path.join(folder, cacheName([digest, width, format, ENCODER], format));
        const running = pending.get(file);
        if (running) return running.then((cached) => ({ ...cached, made: false }));
        const work = writeOnce(file, async () => deriveImage(await pixelsOf(image), image))
          .then((bytes) => ({ file, made: bytes !== undefined }))
          .finally(() => pending.delete(file));
        pending.set(file, work);
        return work;
      };
      return images.map(getImage);
    },
  };
}

/** @param sources Everything that the content depends on. */
export function cacheName(sources: readonly unknown[], extension: string): string {
  const key = hash('sha256', JSON.stringify(sources)).slice(0, 32);
  return path.join(key.slice(0, 2), `${key}.${extension}`);
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

function deriveImage({ pixels, raw }: DecodedImage, { width, format }: DerivedImage): Promise<Buffer> {
  return ENCODE[format](sharp(pixels, { raw }).resize({ width, withoutEnlargement: true })).toBuffer();
}

interface ProduceImagesOptions {
  images: readonly DerivedImage[];
  /** Returns the absolute path of an original by the first 16 characters of its digest. */
  findOriginal: (digest: string) => string | undefined;
  imagesFolder: string;
  distFolder: string;
  onProgress?: (done: number, total: number) => void;
}

/** Default size of Node's thread pool, regardless of the number of cores. */
const THREAD_POOL = 4;

/** @returns The number of images that weren't cached, and those that can't be made. */
export async function produceImages(options: ProduceImagesOptions) {
  const { images, findOriginal, distFolder, onProgress } = options;
  const cache = openImageCache(options.imagesFolder);
  const produced = { total: images.length, made: 0, failed: new Array<{ path: string; reason: string }>() };
  let done = 0;
  const fail = (image: DerivedImage, reason: string) => produced.failed.push({ path: image.path, reason });
  const finish = async (image: DerivedImage, cached: Promise<CachedImage> | undefined): Promise<void> => {
    try {
      const { file, made } = (await cached) ?? { file: undefined, made: false };
      if (made) produced.made++;
      if (file === undefined) fail(image, 'The original is missing from the snapshot.');
      else await copyInto(distFolder, image.path, file);
    } catch (error) {
      fail(image, getErrorMessage(error));
    }
    onProgress?.(++done, images.length);
  };
  const produceFrom = async ([digest, group]: [string, DerivedImage[]]): Promise<void> => {
    const original = findOriginal(digest);
    const cached = original === undefined ? [] : cache.obtain(group, original);
    await Promise.all(group.map((image, i) => finish(image, cached[i])));
  };
  const cores = availableParallelism();
  const threadsBefore = sharp.concurrency();
  sharp.concurrency(Math.ceil(cores / THREAD_POOL));
  try {
    await pLimit(cores).map(
      Map.groupBy(images, ({ digest }) => digest),
      produceFrom,
    );
  } finally {
    sharp.concurrency(threadsBefore);
  }
  produced.failed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return produced;
}

export async function copyInto(distFolder: string, rootRelative: string, file: string): Promise<void> {
  const target = path.join(distFolder, rootRelative);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(file, target, constants.COPYFILE_FICLONE);
}
