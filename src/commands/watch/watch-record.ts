import { countPresentRecords, openSnapshot, type RecordCount } from '#snapshot/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { WebhookResult } from './handle-webhook.ts';

const NOTHING: SnapshotCounts = { digest: undefined, records: [], messages: [] };

export const SYNC_OUTCOMES = ['changed', 'unchanged', 'failed', 'busy'] as const;
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

/** Counters since the start, for health and metrics. */
export interface WatchRecord {
  /** Milliseconds since 1970; undefined before the first successful sync. */
  lastSuccess: number | undefined;
  syncs: Record<SyncOutcome, number>;
  /** Durations of finished syncs, successful or not. */
  durationsSeconds: Histogram;
  requests: number;
  builds: Record<'built' | 'failed', number>;
  webhooks: Record<WebhookResult, number>;
}

export interface Histogram {
  /** Maps upper bounds to the number of observations at or below. */
  buckets: Map<number, number>;
  sum: number;
  count: number;
}

const BOUNDS_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

export function createWatchRecord(): WatchRecord {
  return {
    lastSuccess: undefined,
    syncs: { changed: 0, unchanged: 0, failed: 0, busy: 0 },
    durationsSeconds: { buckets: new Map(BOUNDS_SECONDS.map((bound) => [bound, 0])), sum: 0, count: 0 },
    requests: 0,
    builds: { built: 0, failed: 0 },
    webhooks: { accepted: 0, repeated: 0, refused: 0, malformed: 0 },
  };
}

/** Records a successful run. */
export function recordSync(record: WatchRecord, { changed, requests }: SyncReport, at: number): void {
  record.syncs[changed ? 'changed' : 'unchanged'] += 1;
  record.requests += requests;
  record.lastSuccess = at;
}

export function recordDuration(histogram: Histogram, value: number): void {
  for (const [bound, count] of histogram.buckets) if (value <= bound) histogram.buckets.set(bound, count + 1);
  histogram.sum += value;
  histogram.count += 1;
}

export interface SnapshotCounts {
  digest: string | undefined;
  records: RecordCount[];
  /** Messages to hooks by state. */
  messages: { state: string; count: number }[];
}

/** Counts the contents of the snapshot; empty if it is missing or unreadable. */
export function countSnapshot(snapshotPath: string): SnapshotCounts {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      const rows = snapshot.database.prepare('SELECT state, count(*) AS count FROM outbox GROUP BY state').all();
      const messages = rows.map((row) => ({ state: String(row['state']), count: Number(row['count']) }));
      return { digest: snapshot.digest(), records: countPresentRecords(snapshot.database), messages };
    } finally {
      snapshot.close();
    }
  } catch {
    // The snapshot may be incomplete; a run reports other errors.
    return NOTHING;
  }
}
