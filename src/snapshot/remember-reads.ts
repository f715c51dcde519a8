import type { SyncedRecord } from '#contracts/synced/index.ts';
import { nameOf, type ChangeCursor, type ReadRecords, type SnapshotReader } from './read-snapshot.ts';
import type { SiteRecord, Stored, StoredAsset } from './rows.ts';

const remembering = new WeakSet<SnapshotReader>();

/** Whether a reader gives the same records each time, so that what is made of them can be kept as well. */
export function isRemembering(snapshot: SnapshotReader): boolean {
  return remembering.has(snapshot);
}

/** Rows that were read from a snapshot, for a process that reads it again and again. */
export interface KeptRows {
  records: ReadRecords;
  assets: Map<string, StoredAsset | undefined>;
  /** Where the snapshot's log of changes stood. */
  cursor: ChangeCursor;
}

/** What can be taken from before: records as long as they haven't changed, files as long as none has. */
export function keptRows(snapshot: SnapshotReader, before: KeptRows | undefined): KeptRows {
  const cursor = snapshot.changeCursor();
  const areFilesSame = before?.cursor.assets === cursor.assets && snapshot.hasPassed(before.cursor);
  return { records: before?.records ?? new Map(), assets: areFilesSame ? before.assets : new Map(), cursor };
}

/**
 * Reads the records of a kind, and what is known of a file, once, however often they are asked for. For work that is
 * soon over: it holds what it has read, and doesn't see what is written in the meantime.
 * @param kept Where what is read is put for work after this, and what work before it has read.
 */
export function rememberReads(snapshot: SnapshotReader, kept?: KeptRows): SnapshotReader {
  if (remembering.has(snapshot)) return snapshot;
  const records = new Map<string, Stored<SyncedRecord>[]>();
  const assets = kept?.assets ?? new Map<string, StoredAsset | undefined>();
  let site: { record: Stored<SiteRecord> | undefined } | undefined;
  const reader: SnapshotReader = {
    ...snapshot,
    site: () => (site ??= { record: snapshot.site() }).record,
    // What is kept under the name of a kind is of that kind.
    records: ((kind) => {
      const known = records.get(nameOf(kind)) ?? [...snapshot.records(kind, kept?.records)];
      records.set(nameOf(kind), known);
      return known.values();
    }) as SnapshotReader['records'],
    asset: (url, kind) => {
      const key = `${kind} ${url}`;
      if (!assets.has(key)) assets.set(key, snapshot.asset(url, kind));
      return assets.get(key);
    },
  };
  remembering.add(reader);
  return reader;
}
