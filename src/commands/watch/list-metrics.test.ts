import { expect, it } from 'vitest';
import { formatMetrics, listMetrics, createWatchRecord, recordDuration } from './list-metrics.ts';
import { parseMetrics } from './testing/parse-metrics.ts';

it('survives being read back, whatever a label holds', () => {
  const hard = 'a "quoted" \\ back\\slash\nnew line, {brace}=';
  const text = formatMetrics([
    {
      name: 'x_total',
      help: 'Two\nlines \\ "as they are"',
      type: 'counter',
      samples: [{ labels: { hard, empty: '' }, value: 1.5 }, { value: Number.POSITIVE_INFINITY }],
    },
  ]);
  expect(text.split('\n')[0]).toBe('# HELP x_total Two\\nlines \\\\ "as they are"');
  expect(text.endsWith('\n')).toBe(true);
  expect(parseMetrics(text)).toEqual([
    { name: 'x_total', type: 'counter', labels: { hard, empty: '' }, value: 1.5 },
    { name: 'x_total', type: 'counter', labels: {}, value: Number.POSITIVE_INFINITY },
  ]);
});

it('counts durations in buckets that hold those below them', () => {
  const record = createWatchRecord();
  for (const seconds of [0.4, 2, 2, 7000]) recordDuration(record.durationsSeconds, seconds);
  const samples = parseMetrics(formatMetrics(listMetrics(record, { digest: '', records: [], messages: [] }, false)));
  const bucket = (le: string) =>
    samples.find(({ name, labels }) => name === 'sortiment_sync_duration_seconds_bucket' && labels['le'] === le)?.value;
  expect(['0.5', '1', '2.5', '3600', '+Inf'].map(bucket)).toEqual([1, 1, 3, 3, 4]);
  expect(samples.find(({ name }) => name === 'sortiment_sync_duration_seconds_sum')?.value).toBeCloseTo(7004.4);
  expect(samples.find(({ name }) => name === 'sortiment_sync_duration_seconds_count')?.value).toBe(4);
});

it('names counters, units and labels as Prometheus asks', () => {
  const metrics = listMetrics(createWatchRecord(), { digest: '', records: [], messages: [] }, false);
  for (const { name, type } of metrics) {
    expect(name).toMatch(/^sortiment_[a-z_]+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
  }
});
