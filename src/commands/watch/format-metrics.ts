export interface Sample {
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

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format. */
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

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

function number(value: number): string {
  return Number.isFinite(value) ? String(value) : String(value).replace('Infinity', 'Inf');
}
