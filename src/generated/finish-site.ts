import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { staleSources } from '#projection/stale-sources.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { DerivedImage } from './images/image-path.ts';
import type { ProducedImages } from './images/produce-images.ts';
import { indexAssets } from './index-assets.ts';
import { openReaders } from '#product-index/product-readers.ts';
import { cardFinder } from './previews/card-finder.ts';
import type { PreviewAddress } from './previews/preview-path.ts';
import type { ProducedPreviews } from './previews/produce-previews.ts';
import { progressReporter } from './report-progress.ts';

export interface FinishedSite {
  images: ProducedImages;
  previews: ProducedPreviews;
  documents: number;
  /** Documents that pages link to and the snapshot doesn't have. */
  missing: string[];
}

/** Puts everything into `dist` that the built pages refer to, and `build.json`, by which a sync can tell what is live. */
export async function finishSite(
  settings: Settings,
  options: {
    distFolder: string;
    /** Of the snapshot that was built. */
    digest: string | undefined;
    /** How many pages there are, and what they refer to. */
    scan: {
      pages: number;
      images: readonly DerivedImage[];
      previews: readonly PreviewAddress[];
      /** Paths of mirrored documents. */
      documents: readonly string[];
    };
    snapshot: SnapshotReader;
    logger: Pick<AstroIntegrationLogger, 'info'>;
  },
): Promise<FinishedSite> {
  const { distFolder, scan, snapshot, logger } = options;
  // Mostly nothing is lacking, and there may be very many.
  const isNeeded = scan.images.length + scan.previews.length + scan.documents.length > 0;
  const { findOriginal, findDocument } = indexAssets(isNeeded ? snapshot : undefined, settings.assetsFolder);
  const missing: string[] = [];
  for (const pathname of scan.documents) {
    const file = findDocument(pathname);
    if (file === undefined) missing.push(pathname);
    else await linkInto(distFolder, pathname, file);
  }
  const images = await makeImages({
    images: scan.images,
    findOriginal,
    imagesFolder: settings.imagesFolder,
    distFolder,
    onProgress: progressReporter('images', (message) => logger.info(message)),
  });
  const previews = await makePreviews(settings, { ...options, findOriginal });
  await writeBuildFile(settings, distFolder, {
    digest: options.digest,
    pages: scan.pages,
    stale: staleSources(snapshot),
  });
  return { images, previews, documents: scan.documents.length - missing.length, missing };
}

/** Loads what draws only where there is something to draw, and opens the product index then: mostly there isn't. */
async function makePreviews(
  settings: Settings,
  {
    scan,
    snapshot,
    findOriginal,
    distFolder,
    logger,
  }: Parameters<typeof finishSite>[1] & { findOriginal: (digest: string) => string | undefined },
): Promise<ProducedPreviews> {
  if (scan.previews.length === 0) return { made: 0, failed: [] };
  const { producePreviews } = await import('./previews/produce-previews.ts');
  const readers = openReaders(settings);
  let findCard: ReturnType<typeof cardFinder> | undefined;
  try {
    return await producePreviews({
      places: scan.previews,
      findCard: (place) => {
        findCard ??= cardFinder(settings.options, { productIndex: readers.productIndex(), snapshot });
        return findCard(place);
      },
      findOriginal,
      imagesFolder: settings.imagesFolder,
      distFolder,
      onProgress: progressReporter('previews', (message) => logger.info(message)),
    });
  } finally {
    readers.close();
  }
}

/** Loads what makes images only when there are any to make. */
async function makeImages(
  options: Parameters<typeof import('./images/produce-images.ts').produceImages>[0],
): Promise<ProducedImages> {
  if (options.images.length === 0) return { total: 0, made: 0, failed: [] };
  const { produceImages } = await import('./images/produce-images.ts');
  return produceImages(options);
}

/** Hard-linked where possible: audio files are large, and a file with its digest in the name never changes. */
async function linkInto(distFolder: string, pathname: string, file: string): Promise<void> {
  const target = path.join(distFolder, pathname);
  await mkdir(path.dirname(target), { recursive: true });
  await rm(target, { force: true });
  // Another disk, or a file system without links.
  await link(file, target).catch(() => copyFile(file, target));
}

const packageFile = z.object({ version: z.string() });

async function writeBuildFile(
  { root, base }: Settings,
  distFolder: string,
  { stale, ...facts }: { digest: string | undefined; pages: number; stale: ReturnType<typeof staleSources> },
): Promise<void> {
  const { version } = packageFile.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  const build = {
    ...facts,
    built: new Date().toISOString(),
    version,
    ...(base !== '/' && { base }),
    ...(stale.length > 0 && { stale }),
  };
  await writeFile(path.join(distFolder, 'build.json'), `${JSON.stringify(build)}\n`);
}
