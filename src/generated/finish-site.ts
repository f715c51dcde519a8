import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { listStaleSources } from '#catalogue/read-model/with-snapshot.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { type DerivedImage, parseAnimationPath } from './images/image-cache.ts';
import type { ProducedImages } from './images/produce-images.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import { cardFinder, type PreviewPath, type ProducedPreviews } from './previews/produce-previews.ts';
import { createProgressReporter, type FileGenerator } from './generator.ts';
import { stripBasePath } from '#catalogue/addresses/site-paths.ts';
import { documentPath } from '#catalogue/read-model/assets.ts';

/** Generates `/.well-known/security.txt` (RFC 9116) with the security contact. */
export const securityTxt: FileGenerator = {
  name: 'security',
  update: ({ settings: { options, siteUrl }, languages, put }) => {
    const { security, mainLanguage } = options;
    if (!security) return;
    const codes = [mainLanguage, ...languages.map(({ code }) => code)].map((code) => code.slice(0, 2));
    const lines = [
      ...security.contact.map((contact) => `Contact: ${contact}`),
      `Expires: ${security.expires}T00:00:00Z`,
      `Preferred-Languages: ${[...new Set(codes)].join(', ')}`,
      `Canonical: ${siteUrl}/${FILE}`,
      ...(security.policy === undefined ? [] : [`Policy: ${security.policy}`]),
    ];
    put(FILE, `${lines.join('\n')}\n`);
  },
};

const FILE = '.well-known/security.txt';

export interface FinishedSite {
  images: ProducedImages;
  previews: ProducedPreviews;
  documents: number;
  /** Documents that pages link to but the snapshot doesn't have. */
  missing: string[];
}

/** Adds all files to `dist` that pages refer to, and `build.json`, which tells a sync what is live. */
export async function finishSite(
  settings: Settings,
  options: {
    distFolder: string;
    /** Digest of the built snapshot. */
    digest: string | undefined;
    /** Number of pages, and the files they refer to. */
    scan: {
      pages: number;
      images: readonly DerivedImage[];
      previews: readonly PreviewPath[];
      /** Paths of mirrored documents. */
      documents: readonly string[];
    };
    snapshot: SnapshotReader;
    logger: Pick<AstroIntegrationLogger, 'info'>;
  },
): Promise<FinishedSite> {
  const { distFolder, scan, snapshot, logger } = options;
  // Usually nothing is missing, and the index may be very large.
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
    onProgress: createProgressReporter('images', (message) => logger.info(message)),
  });
  const previews = await makePreviews(settings, { ...options, findOriginal });
  await writeBuildFile(settings, distFolder, {
    digest: options.digest,
    pages: scan.pages,
    stale: listStaleSources(snapshot),
  });
  return { images, previews, documents: scan.documents.length - missing.length, missing };
}

/** Loads the renderer and opens the product index only if there are previews to render, which is rare. */
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
      onProgress: createProgressReporter('previews', (message) => logger.info(message)),
    });
  } finally {
    readers.close();
  }
}

/** Loads the image library only if there are images to create. */
async function makeImages(
  options: Parameters<typeof import('./images/produce-images.ts').produceImages>[0],
): Promise<ProducedImages> {
  if (options.images.length === 0) return { total: 0, made: 0, failed: [] };
  const { produceImages } = await import('./images/produce-images.ts');
  return produceImages(options);
}

/** Creates a hard link if possible, because audio files are large. Files with a digest in their name never change. */
async function linkInto(distFolder: string, pathname: string, file: string): Promise<void> {
  const target = path.join(distFolder, pathname);
  await mkdir(path.dirname(target), { recursive: true });
  await rm(target, { force: true });
  // Falls back to a copy on another disk or without link support.
  await link(file, target).catch(() => copyFile(file, target));
}

const packageFile = z.object({ version: z.string() });

async function writeBuildFile(
  { root, base }: Settings,
  distFolder: string,
  { stale, ...fields }: { digest: string | undefined; pages: number; stale: ReturnType<typeof listStaleSources> },
): Promise<void> {
  const { version } = packageFile.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  const build = {
    ...fields,
    built: new Date().toISOString(),
    version,
    ...(base !== '/' && { base }),
    ...(stale.length > 0 && { stale }),
  };
  await writeFile(path.join(distFolder, 'build.json'), `${JSON.stringify(build)}\n`);
}

export interface AssetIndex {
  /** Returns the absolute path of an image's original by the first 16 characters of its digest. */
  findOriginal: (digest: string) => string | undefined;
  /** Returns the absolute path of a mirrored document or animated original by its path in the site. */
  findDocument: (pathname: string) => string | undefined;
}

/** Indexes the files of the snapshot that pages refer to. @param snapshot Undefined if no lookups follow. */
export function indexAssets(
  snapshot: Pick<SnapshotReader, 'storedFiles'> | undefined,
  assetsFolder: string,
): AssetIndex {
  const originals = new Map<string, string>();
  const documents = new Map<string, string>();
  for (const stored of snapshot?.storedFiles() ?? []) {
    const pathname = documentPath(stored);
    if (pathname) documents.set(stripBasePath(pathname), stored.file);
    else originals.set(stored.digest.slice(0, 16), stored.file);
  }
  const find = (files: Map<string, string>, name: string): string | undefined => {
    const file = files.get(name);
    return file === undefined ? undefined : path.join(assetsFolder, file);
  };
  return {
    findOriginal: (digest) => find(originals, digest),
    findDocument: (pathname) => {
      const animation = parseAnimationPath(pathname);
      return animation === undefined ? find(documents, pathname) : find(originals, animation);
    },
  };
}
