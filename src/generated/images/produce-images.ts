import { messageOf } from '#contracts/index.ts';
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { openImageCache, type CachedImage } from './image-cache.ts';
import type { DerivedImage } from './image-path.ts';

export interface ProduceImagesOptions {
  images: readonly DerivedImage[];
  /** Absolute path of an original by the first 16 characters of its digest. */
  findOriginal: (digest: string) => string | undefined;
  imagesFolder: string;
  distFolder: string;
  onProgress?: (done: number, total: number) => void;
}

export interface ProducedImages {
  total: number;
  /** How many were not in the cache. */
  made: number;
  /** Paths that could not be made, with the reason. */
  failed: { path: string; reason: string }[];
}

/** Node has this many threads for work like this, whatever the machine has. */
const THREAD_POOL = 4;

/** Puts the images that the built pages refer to into `dist`, on all cores, making only what the cache lacks. */
export async function produceImages(options: ProduceImagesOptions): Promise<ProducedImages> {
  const { images, findOriginal, distFolder, onProgress } = options;
  const cache = openImageCache(options.imagesFolder);
  const produced: ProducedImages = { total: images.length, made: 0, failed: [] };
  let done = 0;
  const fail = ({ path: place }: DerivedImage, reason: string) => produced.failed.push({ path: place, reason });
  const finish = async (image: DerivedImage, cached: Promise<CachedImage> | undefined): Promise<void> => {
    try {
      const { file, made } = (await cached) ?? { file: undefined, made: false };
      if (made) produced.made++;
      if (file === undefined) fail(image, 'its original is not in the snapshot');
      else await putInto(distFolder, image.path, file);
    } catch (error) {
      fail(image, messageOf(error));
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

async function putInto(distFolder: string, rootRelative: string, file: string): Promise<void> {
  const target = path.join(distFolder, rootRelative);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(file, target, constants.COPYFILE_FICLONE);
}
