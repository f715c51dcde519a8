import type { SyncedRecord } from '#contracts/synced/index.ts';
import { kindName, type ChangeCursor, type ReadRecords, type SnapshotReader } from './read-snapshot.ts';
import type { SiteRecord, Stored, StoredAsset } from './rows.ts';

const cachingReaders = new WeakSet<SnapshotReader>();

/** True if the reader returns the same records on every call, so that derived values can be cached. */
export function isCachingReader(snapshot: SnapshotReader): boolean {
  return cachingReaders.has(snapshot);
}

/** Rows read from a snapshot, for reuse by later reads in the same process. */
export interface CachedRows {
  records: ReadRecords;
  assets: Map<string, StoredAsset | undefined>;
  /** Change cursor of the snapshot when the rows were read. */
  cursor: ChangeCursor;
}

/** Returns the rows that can be reused: records that are unchanged, and files if none has changed. */
export function reusableRows(snapshot: SnapshotReader, before: CachedRows | undefined): CachedRows {
  const cursor = snapshot.changeCursor();
  const hasSameFiles = before?.cursor.assets === cursor.assets && snapshot.hasPassed(before.cursor);
  return { records: before?.records ?? new Map(), assets: hasSameFiles ? before.assets : new Map(), cursor };
}

/**
 * Reads each kind of record and each asset once and caches it in memory. For short tasks: it doesn't see later writes.
 * @param kept Rows from earlier tasks. New rows are added to it.
 */
export function withReadCache(snapshot: SnapshotReader, kept?: CachedRows): SnapshotReader {
  if (cachingReaders.has(snapshot)) return snapshot;
  const records = new Map<string, Stored<SyncedRecord>[]>();
  const assets = kept?.assets ?? new Map<string, StoredAsset | undefined>();
  let site: { record: Stored<SiteRecord> | undefined } | undefined;
  const reader: SnapshotReader = {
    ...snapshot,
    site: () => (site ??= { record: snapshot.site() }).record,
    // The records cached under the name of a kind are of that kind.
    records: ((kind) => {
      const known = records.get(kindName(kind)) ?? [...snapshot.records(kind, kept?.records)];
      records.set(kindName(kind), known);
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
