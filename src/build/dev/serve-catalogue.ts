import { watch } from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AstroIntegrationLogger, HookParameters } from 'astro';
import { stripSitePath } from '#catalogue/addresses/site-paths.ts';
import type { Settings } from '#config/index.ts';
import { parseImagePath, parsePreviewPath, type PreviewPath } from '#catalogue/images/image-variants.ts';
import { openImageCache } from '#generated/images/images.ts';
import { indexAssets, type AssetIndex } from '#generated/referred-files.ts';
import { cardFinder } from '#generated/previews/produce-previews.ts';
import { cachePreview, previewFile } from '#generated/previews/draw-preview.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import { describeSnapshotFiles, openSnapshot, readDigest } from '#snapshot/index.ts';
import { sendFile } from '../serve/send-file.ts';
import { getContentType } from '../serve/serve-static.ts';
import { isOriginPath } from '../upstreams/demo-start.ts';
import { shareUpstreams } from '../upstreams/ensure-snapshot.ts';

/** A commit writes the file several times. */
const SETTLE_MS = 300;

export interface ServeCatalogueOptions {
  settings: Settings;
  server: HookParameters<'astro:server:setup'>['server'];
  logger: AstroIntegrationLogger;
  refreshContent: HookParameters<'astro:server:setup'>['refreshContent'] | undefined;
}

/**
 * Adds the generated files of a built site to Astro's development server: derived images, mirrored documents and,
 * without configured upstreams, both interfaces. Reloads content when a sync commits.
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
 * Watches for a changed snapshot, by digest rather than by file time.
 *
 * @param read Reads the digest; called only after a write.
 * @returns A function that stops the watch.
 */
export function watchSnapshot(
  snapshotPath: string,
  onChange: () => Promise<void>,
  read: (snapshotPath: string) => string | undefined = readDigest,
): () => void {
  // Precedes the first read, so that a change in between isn't missed.
  let lastWrite = describeSnapshotFiles(snapshotPath);
  let digest = read(snapshotPath);
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    // Readers of the snapshot also touch SQLite's auxiliary files.
    const currentWrite = describeSnapshotFiles(snapshotPath);
    if (currentWrite === lastWrite) return;
    lastWrite = currentWrite;
    const now = read(snapshotPath);
    if (now === undefined || now === digest) return;
    digest = now;
    void onChange();
  };
  const name = path.basename(snapshotPath);
  const watcher = watch(path.dirname(snapshotPath), (_event, file) => {
    if (file !== null && !file.startsWith(name)) return;
    clearTimeout(timer);
    timer = setTimeout(check, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

export type DerivedFiles = ReturnType<typeof serveDerived>;

/** Generates derived images on request and serves mirrored documents. */
export function serveDerived(settings: Settings) {
  const { snapshotPath, assetsFolder, imagesFolder } = settings;
  const cache = openImageCache(imagesFolder);
  let index: AssetIndex | undefined;
  const assets = (): AssetIndex => {
    if (index) return index;
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    index = indexAssets(snapshot, assetsFolder);
    return index;
  };
  const renderPreview = async (preview: PreviewPath): Promise<string | undefined> => {
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    using readers = openReaders(settings);
    const card = cardFinder(settings.options, { productIndex: readers.productIndex(), snapshot })(preview);
    if (!card) return undefined;
    const file = previewFile(imagesFolder, preview.path);
    const original = card.picture === undefined ? undefined : assets().findOriginal(card.picture);
    await cachePreview(file, card, original, settings.root);
    return file;
  };
  const find = async (pathname: string): Promise<string | undefined> => {
    const preview = parsePreviewPath(pathname);
    if (preview) return renderPreview(preview);
    const image = parseImagePath(pathname);
    if (!image) return assets().findDocument(pathname);
    const original = assets().findOriginal(image.digest);
    if (original === undefined) return undefined;
    const [cached] = cache.obtain([image], original);
    return (await cached)?.file;
  };
  return {
    /** Call it when the snapshot has changed. */
    forget: () => (index = undefined),
    middleware: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void => {
      const [requested = '/'] = (req.url ?? '/').split('?', 1);
      const pathname = stripSitePath(requested);
      if (!/^\/(_images|documents)\//.test(pathname)) return next();
      void find(pathname).then(
        (file) => (file === undefined ? next() : sendFile(req, res, file, { 'Content-Type': getContentType(file) })),
        next,
      );
    },
  };
}
