import type { SnapshotCounts } from './count-snapshot.ts';
import type { Metric, Sample } from './format-metrics.ts';
import type { Histogram, WatchRecord } from './watch-record.ts';

/** What Prometheus is told. */
export function listMetrics(record: WatchRecord, { records, messages }: SnapshotCounts, running: boolean): Metric[] {
  return [
    {
      name: 'sortiment_sync_runs_total',
      help: 'Syncs by outcome; busy ones found another process at it.',
      type: 'counter',
      samples: by('outcome', record.syncs),
    },
    {
      name: 'sortiment_sync_duration_seconds',
      help: 'How long syncs took, good or not.',
      type: 'histogram',
      samples: histogramSamples(record.durationsSeconds),
    },
    {
      name: 'sortiment_sync_requests_total',
      help: 'Requests that good syncs have made to the upstreams.',
      type: 'counter',
      samples: [{ value: record.requests }],
    },
    {
      name: 'sortiment_sync_last_success_timestamp_seconds',
      help: 'When the last good sync ended; 0 before the first.',
      type: 'gauge',
      samples: [{ value: (record.lastSuccess ?? 0) / 1000 }],
    },
    {
      name: 'sortiment_sync_running',
      help: '1 while a sync or build is going.',
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
      help: 'Messages to hooks by what became of them.',
      type: 'gauge',
      samples: messages.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'sortiment_webhooks_received_total',
      help: 'Webhooks that arrived, by what was made of them.',
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
