import path from 'node:path';
import { stripBasePath } from '#catalogue/addresses/base.ts';
import { documentPath } from '#product-index/document-path.ts';
import { parseAnimationPath } from './images/image-path.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

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
