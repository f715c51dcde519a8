import { randomUUID } from 'node:crypto';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { ChangeCursor, SnapshotReader } from '#snapshot/index.ts';
import { areCurrent, type CachedCollections } from './cached-collections.ts';
import { loadCollections } from './load-collections.ts';

export interface CurrentCollections {
  /** Those of the snapshot, to keep. */
  loaded: CachedCollections;
  /** All, as pages read them. */
  provided: ReadonlyMap<string, CollectionEntries>;
  /** Whether those of the snapshot are what was kept, but for those that every run changes. */
  areCached: boolean;
}

/** The collections of the snapshot as it is, loaded only when its records have changed, and those of the project. */
export async function currentCollections(
  settings: Settings,
  {
    snapshot,
    cursor,
    kept,
    ofProject,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Where the snapshot's log of changes stands. */
    cursor: ChangeCursor;
    kept: CachedCollections | undefined;
    ofProject: Readonly<Record<string, CollectionEntries>>;
    warn: (message: string) => void;
  },
): Promise<CurrentCollections> {
  const known = kept && areCurrent(kept, snapshot) ? kept : undefined;
  const warnings = [...(known?.warnings ?? [])];
  const collections = await loadCollections(
    settings,
    snapshot,
    (message) => void warnings.push(message),
    known?.collections,
  );
  for (const message of warnings) warn(message);
  return {
    loaded: {
      id: known?.id ?? randomUUID(),
      cursor,
      files: known?.files ?? snapshot.describeArticleFiles(),
      collections,
      warnings,
    },
    provided: new Map([...collections, ...Object.entries(ofProject)]),
    areCached: known !== undefined,
  };
}
