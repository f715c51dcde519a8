import { getErrorMessage } from '#contracts/index.ts';
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { openImageCache, type CachedImage, type DerivedImage } from './image-cache.ts';

export interface ProduceImagesOptions {
  images: readonly DerivedImage[];
  /** Returns the absolute path of an original by the first 16 characters of its digest. */
  findOriginal: (digest: string) => string | undefined;
  imagesFolder: string;
  distFolder: string;
  onProgress?: (done: number, total: number) => void;
}

export interface ProducedImages {
  total: number;
  /** Number of images that weren't cached. */
  made: number;
  /** Failed paths with the reason. */
  failed: { path: string; reason: string }[];
}

/** Default size of Node's thread pool, regardless of the number of cores. */
const THREAD_POOL = 4;

/** Adds the images that pages refer to to `dist`. Creates missing images on all cores. */
export async function produceImages(options: ProduceImagesOptions): Promise<ProducedImages> {
  const { images, findOriginal, distFolder, onProgress } = options;
  const cache = openImageCache(options.imagesFolder);
  const produced: ProducedImages = { total: images.length, made: 0, failed: [] };
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

async function copyInto(distFolder: string, rootRelative: string, file: string): Promise<void> {
  const target = path.join(distFolder, rootRelative);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(file, target, constants.COPYFILE_FICLONE);
}
