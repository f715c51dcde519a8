import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { stripSitePath } from '#catalogue/addresses/site-paths.ts';
import {
  parseAnimationPath,
  parseImagePath,
  parsePreviewPath,
  type PreviewPath,
} from '#catalogue/images/image-variants.ts';
import type { Settings } from '#config/index.ts';
import { DOCUMENT_PREFIX, documentPath } from '#catalogue/read-model/assets.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { createProgressReporter } from './generator.ts';

export async function addReferredFiles(
  settings: Settings,
  pathnames: readonly string[],
  options: { distFolder: string; snapshot: SnapshotReader; logger: Pick<AstroIntegrationLogger, 'info' | 'warn'> },
): Promise<void> {
  const { distFolder, snapshot, logger } = options;
  const { assetsFolder, imagesFolder } = settings;
  const pictures = pathnames.flatMap((pathname) => parseImagePath(pathname) ?? []);
  const places = pathnames.flatMap((pathname) => parsePreviewPath(pathname) ?? []);
  const documents = pathnames.filter(
    (pathname) => pathname.startsWith(DOCUMENT_PREFIX) || parseAnimationPath(pathname) !== undefined,
  );
  // Usually nothing is missing, and the index may be very large.
  const isNeeded = pictures.length + places.length + documents.length > 0;
  const { findOriginal, findDocument } = indexAssets(isNeeded ? snapshot : undefined, assetsFolder);
  let linked = 0;
  for (const pathname of documents) {
    const file = findDocument(pathname);
    if (file === undefined) logger.warn(`${pathname} is linked, but not in the snapshot.`);
    else {
      await linkInto(distFolder, pathname, file);
      linked++;
    }
  }
  const report = (message: string): void => logger.info(message);
  // Loads the image library only if there are images to create.
  const images =
    pictures.length === 0
      ? { total: 0, made: 0, failed: [] }
      : await (
          await import('./images/images.ts')
        ).produceImages({
          images: pictures,
          findOriginal,
          imagesFolder,
          distFolder,
          onProgress: createProgressReporter('images', report),
        });
  const previews = await addPreviews(settings, places, { ...options, findOriginal });
  for (const { path: pathname, reason } of [...images.failed, ...previews.failed])
    logger.warn(`${pathname} could not be generated: ${reason}.`);
  logger.info(`${images.total} images (${images.made} new), ${linked} documents`);
}

/** Loads the renderer and opens the product index only if there are previews to render, which is rare. */
async function addPreviews(
  settings: Settings,
  places: readonly PreviewPath[],
  {
    distFolder,
    snapshot,
    logger,
    findOriginal,
  }: Parameters<typeof addReferredFiles>[2] & { findOriginal: (digest: string) => string | undefined },
): Promise<{ failed: { path: string; reason: string }[] }> {
  if (places.length === 0) return { failed: [] };
  const { cardFinder, producePreviews } = await import('./previews/produce-previews.ts');
  using readers = openReaders(settings);
  let findCard: ReturnType<typeof cardFinder> | undefined;
  return await producePreviews({
    places,
    findCard: (place) => {
      findCard ??= cardFinder(settings.options, { productIndex: readers.productIndex(), snapshot });
      return findCard(place);
    },
    findOriginal,
    imagesFolder: settings.imagesFolder,
    distFolder,
    root: settings.root,
    onProgress: createProgressReporter('previews', (message) => logger.info(message)),
  });
}

/** Creates a hard link if possible, because audio files are large. Files with a digest in their name never change. */
async function linkInto(distFolder: string, pathname: string, file: string): Promise<void> {
  const target = path.join(distFolder, pathname);
  await mkdir(path.dirname(target), { recursive: true });
  await rm(target, { force: true });
  // Falls back to a copy on another disk or without link support.
  await link(file, target).catch(() => copyFile(file, target));
}

export type AssetIndex = ReturnType<typeof indexAssets>;

/** Indexes the files of the snapshot that pages refer to. @param snapshot Undefined if no lookups follow. */
export function indexAssets(snapshot: Pick<SnapshotReader, 'storedFiles'> | undefined, assetsFolder: string) {
  const originals = new Map<string, string>();
  const documents = new Map<string, string>();
  for (const stored of snapshot?.storedFiles() ?? []) {
    const pathname = documentPath(stored);
    if (pathname) documents.set(stripSitePath(pathname), stored.file);
    else originals.set(stored.digest.slice(0, 16), stored.file);
  }
  const find = (files: Map<string, string>, name: string): string | undefined => {
    const file = files.get(name);
    return file === undefined ? undefined : path.join(assetsFolder, file);
  };
  return {
    /** Returns the absolute path of an image's original by the first 16 characters of its digest. */
    findOriginal: (digest: string) => find(originals, digest),
    /** Returns the absolute path of a mirrored document or animated original by its path in the site. */
    findDocument: (pathname: string) => {
      const animation = parseAnimationPath(pathname);
      return animation === undefined ? find(documents, pathname) : find(originals, animation);
    },
  };
}
