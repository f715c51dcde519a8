import path from 'node:path';
import { placeOf } from '#catalogue/addresses/base.ts';
import { documentPath } from '#product-index/document-path.ts';
import type { SnapshotReader, StoredAsset } from '#snapshot/index.ts';

export interface AssetIndex {
  /** Absolute path of an image's original, by the first 16 characters of its digest. */
  findOriginal: (digest: string) => string | undefined;
  /** Absolute path of a mirrored document, by its place in the site. */
  findDocument: (pathname: string) => string | undefined;
}

type HeldFile = Pick<StoredAsset, 'url' | 'kind' | 'digest' | 'file'>;

/** Where the bytes are that pages refer to. @param snapshot Undefined when nothing will be asked for. */
export function indexAssets(
  snapshot: Pick<SnapshotReader, 'assets' | 'replacedDocuments'> | undefined,
  assetsFolder: string,
): AssetIndex {
  const originals = new Map<string, string>();
  const documents = new Map<string, string>();
  for (const asset of snapshot ? heldFiles(snapshot) : []) {
    if (!asset.digest || !asset.file) continue;
    const file = path.join(assetsFolder, asset.file);
    const place = documentPath(asset);
    if (place) documents.set(placeOf(place), file);
    else originals.set(asset.digest.slice(0, 16), file);
  }
  return {
    findOriginal: (digest) => originals.get(digest),
    findDocument: (pathname) => documents.get(pathname),
  };
}

function* heldFiles(snapshot: Pick<SnapshotReader, 'assets' | 'replacedDocuments'>): Generator<HeldFile> {
  for (const { url, digest, file } of snapshot.replacedDocuments()) yield { url, digest, file, kind: 'document' };
  yield* snapshot.assets();
}
