import { countPresentRecords, openSnapshot, type RecordCount } from '#snapshot/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { WebhookResult } from './watch-event.ts';

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Returns the metrics for Prometheus. */
export function listMetrics(record: WatchRecord, { records, messages }: SnapshotCounts, running: boolean): Metric[] {
  return [
    {
      name: 'sortiment_sync_runs_total',
      help: 'Syncs by outcome; busy means that another process was syncing.',
      type: 'counter',
      samples: by('outcome', record.syncs),
    },
    {
      name: 'sortiment_sync_duration_seconds',
      help: 'Duration of syncs, successful or not.',
      type: 'histogram',
      samples: histogramSamples(record.durationsSeconds),
    },
    {
      name: 'sortiment_sync_requests_total',
      help: 'Requests of successful syncs to the upstreams.',
      type: 'counter',
      samples: [{ value: record.requests }],
    },
    {
      name: 'sortiment_sync_last_success_timestamp_seconds',
      help: 'End of the last successful sync; 0 before the first.',
      type: 'gauge',
      samples: [{ value: (record.lastSuccess ?? 0) / 1000 }],
    },
    {
      name: 'sortiment_sync_running',
      help: '1 while a sync or build is running.',
      type: 'gauge',
      samples: [{ value: running ? 1 : 0 }],
    },
    {
      name: 'sortiment_build_runs_total',
      help: 'Builds of the site by outcome.',
      type: 'counter',
      samples: by('outcome', record.builds),
    },
    {
      name: 'sortiment_snapshot_records',
      help: 'Present records of the snapshot; only products have a language.',
      type: 'gauge',
      samples: records.map(({ kind, language = '', count }) => ({ labels: { kind, language }, value: count })),
    },
    {
      name: 'sortiment_outbox_messages',
      help: 'Messages to hooks by state.',
      type: 'gauge',
      samples: messages.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'sortiment_webhooks_received_total',
      help: 'Received webhooks by result.',
      type: 'counter',
      samples: by('result', record.webhooks),
    },
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

/** Formats metrics in Prometheus' text format. */
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

interface ParsedSample {
  name: string;
  type: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses Prometheus' text format strictly, for tests. Throws for invalid lines and samples without a type. */
export function parseMetrics(text: string): ParsedSample[] {
  const types = new Map<string, string>();
  const samples: ParsedSample[] = [];
  for (const line of text.split('\n')) {
    const [, typed = '', type = ''] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (types.has(typed)) throw new Error(`twice: ${line}`);
    if (typed) types.set(typed, type);
    if (line === '' || line.startsWith('# ')) continue;
    const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const knownType = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (knownType === undefined) throw new Error(`not a sample: ${line}`);
    samples.push({
      name,
      type: knownType,
      labels: parseLabels(labels),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return samples;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (!name) throw new Error(`not labels: ${text}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  }
  return labels;
}

const NOTHING: SnapshotCounts = { digest: undefined, records: [], messages: [] };

const SYNC_OUTCOMES = ['changed', 'unchanged', 'failed', 'busy'] as const;
type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

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

interface SnapshotCounts {
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
