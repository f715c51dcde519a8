const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

interface ParsedSample {
  name: string;
  type: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses Prometheus' text format strictly. Throws for invalid lines and samples without a type. */
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
