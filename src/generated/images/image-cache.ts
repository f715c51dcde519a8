import { createHash } from 'node:crypto';
import path from 'node:path';
import { writeOnce } from '#files/index.ts';
import { deriveImage, ENCODER, unpackImage, type UnpackedImage } from './derive-image.ts';
import type { DerivedImage } from './image-path.ts';

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
      let unpacking: Promise<UnpackedImage> | undefined;
      const unpack = (): Promise<UnpackedImage> => (unpacking ??= unpackImage(original, maxWidth));
      const obtainOne = (image: DerivedImage): Promise<CachedImage> => {
        const file = path.join(folder, cacheName(image));
        const running = underWay.get(file);
        if (running) return running.then((cached) => ({ ...cached, made: false }));
        const work = obtainFile(file, image, unpack).finally(() => underWay.delete(file));
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
  unpack: () => Promise<UnpackedImage>,
): Promise<CachedImage> {
  const bytes = await writeOnce(file, async () => deriveImage(await unpack(), image));
  return { file, made: bytes !== undefined };
}
