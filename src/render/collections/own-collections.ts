import type { Options } from '#config/index.ts';
import { snapshotLoaders } from '#loaders/index.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';

/** The collections among these that don't come from the snapshot. */
export function ownCollections(
  options: Options,
  seen: ReadonlyMap<string, CollectionEntries>,
): Map<string, CollectionEntries> {
  const ofSnapshot = new Set(Object.keys(snapshotLoaders(options)));
  return new Map([...seen].filter(([collection]) => !ofSnapshot.has(collection)));
}
