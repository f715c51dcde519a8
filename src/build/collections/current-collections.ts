import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { languageCodes, type LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import type { Settings } from '#config/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import { withReadCache, type ChangeCursor, type SnapshotReader } from '#snapshot/index.ts';
import { createEntries, RUN_COLLECTIONS, snapshotLoaders, type StoredEntry } from './snapshot-loaders.ts';

export interface CurrentCollections {
  /** Collections of the snapshot, ready to cache. */
  loaded: CachedCollections;
  /** All collections, as pages read them. */
  provided: ReadonlyMap<string, CollectionEntries>;
  /** Digests of the snapshot's collections. */
  digests: Record<string, string>;
  /** True if the snapshot's collections equal the cached ones, except for those that every run changes. */
  areCached: boolean;
}

/**
 * Returns the collections of the snapshot and the project. Loads those of the snapshot only if its records have
 * changed.
 */
export function currentCollections(
  settings: Settings,
  {
    snapshot,
    cursor,
    cached,
    projectCollections,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Current position in the snapshot's change log. */
    cursor: ChangeCursor;
    cached: CachedCollections | undefined;
    projectCollections: ReadonlyMap<string, CollectionEntries>;
    warn: (message: string) => void;
  },
): CurrentCollections {
  const { options } = settings;
  const current = cached && areCurrent(cached, snapshot) ? cached : undefined;
  const warnings = [...(current?.warnings ?? [])];
  const collections = new Map(current?.collections);
  const source: LoaderSource = {
    // Articles link to each other, so every loader reads all of them.
    snapshot: withReadCache(snapshot),
    options,
    languages: languageCodes(snapshot, options),
    warn: (message) => void warnings.push(message),
  };
  for (const [collection, { schema, project }] of Object.entries(snapshotLoaders(options))) {
    // Cached collections are still valid, except for those of runs.
    if (current && !RUN_COLLECTIONS.has(collection)) continue;
    const before = new Map(cached?.collections.get(collection)?.map((entry) => [entry.id, entry]));
    collections.set(
      collection,
      createEntries(schema, project(source), (id) => before.get(id)),
    );
  }
  for (const message of warnings) warn(message);
  return {
    loaded: { cursor, files: current?.files ?? snapshot.describeArticleFiles(), collections, warnings },
    provided: new Map([...collections, ...projectCollections]),
    digests: Object.fromEntries([...collections].map(([name, entries]) => [name, digestOf(entries)])),
    areCached: current !== undefined,
  };
}

function digestOf(entries: CollectionEntries): string {
  return hash('sha1', JSON.stringify(entries.map(({ id, data, digest }) => [id, digest ?? data])), 'base64url');
}

export interface CachedCollections {
  /** Position in the snapshot's change log at which they were loaded. */
  cursor: ChangeCursor;
  collections: ReadonlyMap<string, readonly StoredEntry[]>;
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
function areCurrent({ cursor, files }: CachedCollections, snapshot: SnapshotReader): boolean {
  const { records, assets } = snapshot.changeCursor();
  if (cursor.records !== records || !snapshot.hasPassed(cursor)) return false;
  // Most often an image of a product has changed.
  return cursor.assets === assets || files === snapshot.describeArticleFiles();
}
