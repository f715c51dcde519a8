import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { placeOf } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import { MEDIA_FILES } from '#contracts/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { readRange } from '../serve/index.ts';
import { openImageCache } from '#generated/images/image-cache.ts';
import { readImagePath } from '#generated/images/image-path.ts';
import { openReaders } from '#product-index/product-readers.ts';
import { cardFinder } from '#generated/previews/card-finder.ts';
import { keepPreview, previewFile } from '#generated/previews/preview-cache.ts';
import { readPreviewPath, type PreviewPlace } from '#generated/previews/preview-place.ts';
import { indexAssets, type AssetIndex } from '#generated/index-assets.ts';

export interface DerivedFiles {
  middleware: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
  /** Call when the snapshot has changed. */
  forget: () => void;
}

const TYPES = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' };

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
  const draw = async (place: PreviewPlace): Promise<{ file: string; type: string } | undefined> => {
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
      return { file, type: MEDIA_FILES.get(path.extname(file).slice(1))?.mimeType ?? 'application/octet-stream' };
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
      return void find(pathname).then((found) => (found ? send(req, res, found) : next()), next);
    },
  };
}

/** The file, or the part of it that is asked for: players read that way, and some play nothing without. */
function send(req: IncomingMessage, res: ServerResponse, { file, type }: { file: string; type: string }): void {
  const { size } = statSync(file);
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', 'Accept-Ranges': 'bytes' };
  const part = readRange(req.headers.range);
  if (part && part.start >= size) {
    res.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const start = part?.start ?? 0;
  const end = Math.min(part?.end ?? Infinity, size - 1);
  res.writeHead(part ? 206 : 200, {
    ...headers,
    'Content-Length': end - start + 1,
    ...(part && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (size === 0 || req.method === 'HEAD') {
    res.end();
    return;
  }
  createReadStream(file, { start, end })
    .on('error', () => res.destroy())
    .pipe(res);
}
