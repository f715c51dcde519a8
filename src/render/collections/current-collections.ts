import { randomUUID } from 'node:crypto';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries } from '#catalogue/port/build-host.ts';
import type { ChangeMark, SnapshotReader } from '#snapshot/index.ts';
import { areCurrent, type KeptCollections } from './cached-collections.ts';
import { loadCollections } from './load-collections.ts';

export interface CurrentCollections {
  /** Those of the snapshot, to keep. */
  loaded: KeptCollections;
  /** All, as pages read them. */
  provided: ReadonlyMap<string, CollectionEntries>;
  /** Whether those of the snapshot are what was kept, but for those that every run changes. */
  areKept: boolean;
}

/** The collections of the snapshot as it is, loaded only when its records have changed, and those of the project. */
export async function currentCollections(
  settings: Settings,
  {
    snapshot,
    mark,
    kept,
    ofProject,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Where the snapshot's log of changes stands. */
    mark: ChangeMark;
    kept: KeptCollections | undefined;
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
      mark,
      files: known?.files ?? snapshot.describeWritingFiles(),
      collections,
      warnings,
    },
    provided: new Map([...collections, ...Object.entries(ofProject)]),
    areKept: known !== undefined,
  };
}
