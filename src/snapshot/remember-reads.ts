import type { SyncedRecord } from '#contracts/synced/index.ts';
import { nameOf, type ChangeCursor, type ReadRecords, type SnapshotReader } from './read-snapshot.ts';
import type { SiteRecord, Stored, StoredAsset } from './rows.ts';

const cachingReaders = new WeakSet<SnapshotReader>();

/** True if the reader returns the same records on every call, so that derived values can be cached. */
export function isRemembering(snapshot: SnapshotReader): boolean {
  return cachingReaders.has(snapshot);
}

/** Rows read from a snapshot, for reuse by later reads in the same process. */
export interface KeptRows {
  records: ReadRecords;
  assets: Map<string, StoredAsset | undefined>;
  /** Change cursor of the snapshot when the rows were read. */
  cursor: ChangeCursor;
}

/** Returns the rows that can be reused: records that are unchanged, and files if none has changed. */
export function keptRows(snapshot: SnapshotReader, before: KeptRows | undefined): KeptRows {
  const cursor = snapshot.changeCursor();
  const hasSameFiles = before?.cursor.assets === cursor.assets && snapshot.hasPassed(before.cursor);
  return { records: before?.records ?? new Map(), assets: hasSameFiles ? before.assets : new Map(), cursor };
}

/**
 * Reads each kind of record and each asset once and caches it in memory. For short tasks: it doesn't see later writes.
 * @param kept Rows from earlier tasks. New rows are added to it.
 */
export function rememberReads(snapshot: SnapshotReader, kept?: KeptRows): SnapshotReader {
  if (cachingReaders.has(snapshot)) return snapshot;
  const records = new Map<string, Stored<SyncedRecord>[]>();
  const assets = kept?.assets ?? new Map<string, StoredAsset | undefined>();
  let site: { record: Stored<SiteRecord> | undefined } | undefined;
  const reader: SnapshotReader = {
    ...snapshot,
    site: () => (site ??= { record: snapshot.site() }).record,
    // The records cached under the name of a kind are of that kind.
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
  cachingReaders.add(reader);
  return reader;
}
