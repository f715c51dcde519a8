import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { replaceFile } from '#files/replace-file.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { ChangeCursor, SnapshotReader } from '#snapshot/index.ts';

export interface CachedCollections {
  /** Position in the snapshot's change log at which they were loaded. */
  cursor: ChangeCursor;
  collections: ReadonlyMap<string, CollectionEntries>;
  /** Files that posts, pages and media refer to, as described in entries. */
  files: string;
  /** Warnings of the loaders. */
  warnings: readonly string[];
}

/** Stored in the bundle's folder, because it depends on the same sources. */
const fileIn = (bundleFolder: string): string => path.join(bundleFolder, 'collections.v8');

/** Caches the output of the loaders, so that the next build needn't read and sanitize it again. */
export async function cacheCollections(bundleFolder: string, collections: CachedCollections): Promise<void> {
  await replaceFile(fileIn(bundleFolder), serialize(collections));
}

/** Removes the cached collections of a bundle that comes from another snapshot. */
export function dropCollections(bundleFolder: string): void {
  rmSync(fileIn(bundleFolder), { force: true });
}

/** Returns the cached collections; undefined if missing or unreadable. */
export function readCollections(bundleFolder: string): CachedCollections | undefined {
  try {
    return deserialize(readFileSync(fileIn(bundleFolder))) as CachedCollections;
  } catch {
    return undefined;
  }
}

/** True if the loaders would return the same for the current snapshot. */
export function areCurrent({ cursor, files }: CachedCollections, snapshot: SnapshotReader): boolean {
  const { records, assets } = snapshot.changeCursor();
  if (cursor.records !== records || !snapshot.hasPassed(cursor)) return false;
  // Most often an image of a product has changed.
  return cursor.assets === assets || files === snapshot.describeArticleFiles();
}
