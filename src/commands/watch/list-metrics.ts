import { countPresentRecords, openSnapshot, type RecordCount } from '#snapshot/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { WebhookResult } from './watch-event.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const METRICS = {
  sync_runs_total: ['counter', 'Syncs by outcome; busy means that another process was syncing.'],
  sync_duration_seconds: ['histogram', 'Duration of syncs, successful or not.'],
  sync_requests_total: ['counter', 'Requests of successful syncs to the upstreams.'],
  sync_last_success_timestamp_seconds: ['gauge', 'End of the last successful sync; 0 before the first.'],
  sync_running: ['gauge', '1 while a sync or build is running.'],
  build_runs_total: ['counter', 'Builds of the site by outcome.'],
  snapshot_records: ['gauge', 'Present records of the snapshot; only products have a language.'],
  outbox_messages: ['gauge', 'Messages to hooks by state.'],
  webhooks_received_total: ['counter', 'Received webhooks by result.'],
} as const satisfies Record<string, [type: Metric['type'], help: string]>;

export function listMetrics(record: WatchRecord, { records, messages }: SnapshotCounts, running: boolean): Metric[] {
  const metric = (name: keyof typeof METRICS, samples: readonly Sample[]): Metric => {
    const [type, help] = METRICS[name];
    return { name: `sortiment_${name}`, help, type, samples };
  };
  const counts = records.map(({ kind, language = '', count }) => ({ labels: { kind, language }, value: count }));
  const states = messages.map(({ state, count }) => ({ labels: { state }, value: count }));
  return [
    metric('sync_runs_total', by('outcome', record.syncs)),
    metric('sync_duration_seconds', histogramSamples(record.durationsSeconds)),
    metric('sync_requests_total', [{ value: record.requests }]),
    metric('sync_last_success_timestamp_seconds', [{ value: (record.lastSuccess ?? 0) / 1000 }]),
    metric('sync_running', [{ value: running ? 1 : 0 }]),
    metric('build_runs_total', by('outcome', record.builds)),
    metric('snapshot_records', counts),
    metric('outbox_messages', states),
    metric('webhooks_received_total', by('result', record.webhooks)),
  ];
}

const by = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));

function histogramSamples({ buckets, sum, count }: Histogram): Sample[] {
  return [
    ...[...buckets].map(([bound, value]) => bucket(String(bound), value)),
    bucket('+Inf', count),
    { suffix: '_sum', value: sum },
    { suffix: '_count', value: count },
  ];
}

const bucket = (le: string, value: number): Sample => ({ suffix: '_bucket', labels: { le }, value });

interface Sample {
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escape(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${number(value)}`,
        ),
        '',
      ].join('\n'),
    )
    .join('');
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value).replaceAll('"', '\\"')}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function number(value: number): string {
  return Number.isFinite(value) ? String(value) : String(value).replace('Infinity', 'Inf');
}

/** Counters since the start, for health and metrics. */
export interface WatchRecord {
  /** Milliseconds since 1970; undefined before the first successful sync. */
  lastSuccess: number | undefined;
  syncs: Record<'changed' | 'unchanged' | 'failed' | 'busy', number>;
  /** Durations of finished syncs, successful or not. */
  durationsSeconds: Histogram;
  requests: number;
  builds: Record<'built' | 'failed', number>;
  webhooks: Record<WebhookResult, number>;
}

interface Histogram {
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

interface SnapshotCounts {
  digest: string | undefined;
  records: RecordCount[];
  /** Messages to hooks by state. */
  messages: { state: string; count: number }[];
}

/** Counts the contents of the snapshot; empty if it is missing or unreadable. */
export function countSnapshot(snapshotPath: string): SnapshotCounts {
  try {
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    const rows = snapshot.database.prepare('SELECT state, count(*) AS count FROM outbox GROUP BY state').all();
    const messages = rows.map((row) => ({ state: String(row['state']), count: Number(row['count']) }));
    return { digest: snapshot.digest(), records: countPresentRecords(snapshot.database), messages };
  } catch {
    // The snapshot may be incomplete; a run reports other errors.
    return { digest: undefined, records: [], messages: [] };
  }
}

interface HealthInput {
  /** Milliseconds since 1970, like all times here. */
  now: number;
  lastSuccess: number | undefined;
  intervalMs: number;
  digest: string | undefined;
  running: boolean;
  nextRunAt: number | undefined;
  /** Number of consecutive failed runs. */
  failures: number;
}

export interface Health {
  /** `starting`: no sync has finished yet. */
  status: 'ok' | 'starting' | 'stale';
  /** ISO; null before the first successful sync. */
  lastSuccess: string | null;
  ageSeconds: number | null;
  digest: string | null;
  running: boolean;
  /** ISO; null during a run. */
  nextRun: string | null;
  failures: number;
}

/** Returns `ok` while the last successful sync is at most three intervals old. */
export function checkHealth(input: HealthInput): Health {
  const { now, lastSuccess, intervalMs, digest, running, nextRunAt, failures } = input;
  const ageMs = lastSuccess === undefined ? undefined : Math.max(0, now - lastSuccess);
  const isStarting = lastSuccess === undefined && failures === 0;
  return {
    status: isStarting ? 'starting' : ageMs !== undefined && ageMs <= 3 * intervalMs ? 'ok' : 'stale',
    lastSuccess: lastSuccess === undefined ? null : new Date(lastSuccess).toISOString(),
    ageSeconds: ageMs === undefined ? null : Math.round(ageMs / 1000),
    digest: digest ?? null,
    running,
    nextRun: nextRunAt === undefined ? null : new Date(nextRunAt).toISOString(),
    failures,
  };
}
