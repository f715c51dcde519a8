import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { replaceFile } from '#files/index.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { ChangeCursor, SnapshotReader } from '#snapshot/index.ts';

export interface CachedCollections {
  /** Where the snapshot's log of changes stood when they were made. */
  cursor: ChangeCursor;
  collections: ReadonlyMap<string, CollectionEntries>;
  /** The files that posts, pages and media name, as entries tell of them. */
  files: string;
  /** What the loaders warned of. */
  warnings: readonly string[];
}

/** With the bundle, that is of the same sources. */
const fileIn = (bundleFolder: string): string => path.join(bundleFolder, 'collections.v8');

/** Keeps what the loaders have made of the snapshot, so that the next build needn't read and sanitise it all again. */
export async function cacheCollections(bundleFolder: string, kept: CachedCollections): Promise<void> {
  await replaceFile(fileIn(bundleFolder), serialize(kept));
}

/** For a bundle that comes from elsewhere: they are of another snapshot. */
export function dropCollections(bundleFolder: string): void {
  rmSync(fileIn(bundleFolder), { force: true });
}

/** What was kept; undefined when there is nothing, or nothing that can be read. */
export function readCollections(bundleFolder: string): CachedCollections | undefined {
  try {
    return deserialize(readFileSync(fileIn(bundleFolder))) as CachedCollections;
  } catch {
    return undefined;
  }
}

/** Whether they are what the loaders would make of the snapshot as it is. */
export function areCurrent({ cursor, files }: CachedCollections, snapshot: SnapshotReader): boolean {
  const { records, assets } = snapshot.changeCursor();
  if (cursor.records !== records || !snapshot.hasPassed(cursor)) return false;
  // Mostly it is a picture of a product.
  return cursor.assets === assets || files === snapshot.describeArticleFiles();
}
