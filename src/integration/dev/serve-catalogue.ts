import { watch } from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AstroIntegrationLogger, HookParameters } from 'astro';
import { placeOf } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import { openImageCache } from '#generated/images/image-cache.ts';
import { readImagePath } from '#generated/images/image-path.ts';
import { indexAssets, type AssetIndex } from '#generated/index-assets.ts';
import { cardFinder } from '#generated/previews/card-finder.ts';
import { keepPreview, previewFile } from '#generated/previews/preview-cache.ts';
import { readPreviewPath, type PreviewAddress } from '#generated/previews/preview-path.ts';
import { openReaders } from '#product-index/product-readers.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { describeWritten, readDigest } from '#snapshot/read-digest.ts';
import { sendFile, typeOf } from '../serve/index.ts';
import { isOriginPath } from '../upstreams/index.ts';
import { shareUpstreams } from './share-upstreams.ts';

const TYPES = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' };

/** A commit touches the file several times. */
const SETTLE_MS = 300;

export interface ServeCatalogueOptions {
  settings: Settings;
  server: HookParameters<'astro:server:setup'>['server'];
  logger: AstroIntegrationLogger;
  refreshContent: HookParameters<'astro:server:setup'>['refreshContent'] | undefined;
}

/**
 * Adds to Astro's development server what the built site has beside its pages: derived images, mirrored documents and,
 * without upstreams of one's own, both interfaces. Content is reloaded when a sync commits.
 */
export async function serveCatalogue({
  settings,
  server,
  logger,
  refreshContent,
}: ServeCatalogueOptions): Promise<void> {
  const derived = serveDerived(settings);
  server.middlewares.use(derived.middleware);
  const unwatch = watchSnapshot(settings.snapshotPath, async () => {
    derived.forget();
    await refreshContent?.({});
    logger.info('The snapshot has changed: content reloaded.');
  });
  server.httpServer?.once('close', unwatch);
  if (settings.upstreams !== 'embedded' || settings.offline) return;
  const { origin } = await shareUpstreams(settings, (line) => logger.debug(line));
  if (!origin) return;
  server.middlewares.use((req, res, next) => {
    const [pathname = '/'] = (req.url ?? '/').split('?', 1);
    if (isOriginPath(pathname, origin.restRoot)) origin.listener(req, res);
    else next();
  });
}

/**
 * Calls when a sync has committed other content: the digest decides, not the file's time.
 * @param read Gives the digest; only called when something was written.
 * @returns Ends the watch.
 */
export function watchSnapshot(
  snapshotPath: string,
  onChange: () => Promise<void>,
  read: (snapshotPath: string) => string | undefined = readDigest,
): () => void {
  // Before it is read, or a change between the two would be missed.
  let written = describeWritten(snapshotPath);
  let digest = read(snapshotPath);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    // Whoever reads the snapshot touches what SQLite keeps beside it.
    const writtenNow = describeWritten(snapshotPath);
    if (writtenNow === written) return;
    written = writtenNow;
    const now = read(snapshotPath);
    if (now === undefined || now === digest) return;
    digest = now;
    void onChange();
  };
  const name = path.basename(snapshotPath);
  const watcher = watch(path.dirname(snapshotPath), (_event, file) => {
    if (file !== null && !file.startsWith(name)) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

export interface DerivedFiles {
  middleware: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
  /** Call when the snapshot has changed. */
  forget: () => void;
}

/** Makes derived images when they are asked for, and hands out mirrored documents. */
export function serveDerived(settings: Settings): DerivedFiles {
  const { snapshotPath, assetsFolder, imagesFolder } = settings;
  const cache = openImageCache(imagesFolder);
  let index: AssetIndex | undefined;
  const assets = (): AssetIndex => {
    if (index) return index;
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      index = indexAssets(snapshot, assetsFolder);
      return index;
    } finally {
      snapshot.close();
    }
  };
  const draw = async (place: PreviewAddress): Promise<{ file: string; type: string } | undefined> => {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    const readers = openReaders(settings);
    try {
      const card = cardFinder(settings.options, { productIndex: readers.productIndex(), snapshot })(place);
      if (!card) return undefined;
      const file = previewFile(imagesFolder, place.path);
      await keepPreview(file, card, card.picture === undefined ? undefined : assets().findOriginal(card.picture));
      return { file, type: TYPES.jpeg };
    } finally {
      readers.close();
      snapshot.close();
    }
  };
  const find = async (pathname: string): Promise<{ file: string; type: string } | undefined> => {
    const preview = readPreviewPath(pathname);
    if (preview) return draw(preview);
    const image = readImagePath(pathname);
    if (!image) {
      const file = assets().findDocument(pathname);
      if (file === undefined) return undefined;
      return { file, type: typeOf(file) };
    }
    const original = assets().findOriginal(image.digest);
    if (original === undefined) return undefined;
    const [cached] = cache.obtain([image], original);
    return cached && { file: (await cached).file, type: TYPES[image.format] };
  };
  return {
    forget: () => (index = undefined),
    middleware: (req, res, next) => {
      const [asked = '/'] = (req.url ?? '/').split('?', 1);
      const pathname = placeOf(asked);
      if (!/^\/(_images|documents)\//.test(pathname)) return next();
      return void find(pathname).then(
        (found) => (found ? sendFile(req, res, found.file, { 'Content-Type': found.type }) : next()),
        next,
      );
    },
  };
}
