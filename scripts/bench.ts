import { defineCommand } from 'citty';
import type { BuilderName, Scenario } from './bench/build.ts';
import { JSON_ARG, runScript, UsageError, printResult, splitWords } from './cli/index.ts';
import { parentExitSignal, stopSignal } from './cli/stop.ts';
import { memoryFolder } from './fixtures/memory-folder.ts';

const PEERS: readonly BuilderName[] = ['astro', 'eleventy'];
const SCENARIOS: readonly Scenario[] = ['cold', 'nochange', 'one', 'own-page'];

const text = (valueHint: string, fallback: string, description: string) =>
  ({ type: 'string', valueHint, default: fallback, description }) as const;

export default await runScript(import.meta, {
  meta: {
    name: 'npm run bench --',
    description: 'Run benchmarks and print a table. Run nothing else meanwhile.',
  },
  subCommands: {
    build: defineCommand({
      meta: {
        name: 'build',
        description: 'Build product pages with this project, plain Astro and Eleventy: time and peak memory',
      },
      args: {
        pages: text('number', '1000', 'Number of product pages'),
        peers: text('names', PEERS.join(','), 'Builders to compare with'),
        scenarios: text('names', SCENARIOS.join(','), 'Scenarios to measure, after a cold build'),
        runs: text('number', '3', 'Runs of each scenario; the table shows medians'),
        json: JSON_ARG,
      },
      run: async ({ args }) => {
        const options = {
          pages: readNumber('pages', args.pages),
          builders: ['sortiment' as const, ...readNames('peers', args.peers, PEERS)],
          scenarios: readNames('scenarios', `cold,${args.scenarios}`, SCENARIOS),
          runs: readNumber('runs', args.runs),
        };
        const { benchBuild } = await import('./bench/build.ts');
        const rows = await benchBuild({ ...options, signal: start(), report: console.error });
        const cold = rows.filter(({ scenario }) => scenario === 'cold');
        const factors = cold.map(({ builder, ratio }) => `${builder} ${ratio.toPrecision(3)}`);
        print(rows, `Relative time of a cold build of ${options.pages} pages: ${factors.join(', ')}.`, args.json);
      },
    }),
    sync: defineCommand({
      meta: {
        name: 'sync',
        description: 'Sync generated products from an origin: products per second and peak memory',
      },
      args: { records: text('number', '1000', 'Number of products'), json: JSON_ARG },
      run: async ({ args }) => {
        const records = readNumber('records', args.records);
        const { benchSync } = await import('./bench/sync.ts');
        const rows = await benchSync({ records, signal: start() });
        const rate = Math.round(rows[2]?.recordsPerSecond ?? 0);
        print(rows, `A first sync by list and export reads ${rate} products per second.`, args.json);
      },
    }),
    origin: defineCommand({
      meta: {
        name: 'origin',
        description: 'Request routes of the origin and the same JSON from plain Hono: rate, CPU time, memory',
      },
      args: { seconds: text('number', '5', 'Seconds per route and server'), json: JSON_ARG },
      run: async ({ args }) => {
        const seconds = readNumber('seconds', args.seconds);
        const { benchOrigin } = await import('./bench/origin.ts');
        const rows = await benchOrigin({ seconds, signal: start(), report: console.error });
        const ratio = rows[0]?.ratio.toPrecision(2);
        print(rows, `The cached list of posts has ${ratio} times the requests per second of Hono.`, args.json);
      },
    }),
  },
});

/** Creates temporary files in memory if possible: shared disks are slow at times. */
function start(): AbortSignal {
  process.env['TMPDIR'] = memoryFolder() ?? process.env['TMPDIR'];
  return AbortSignal.any([stopSignal(), parentExitSignal()]);
}

function print(rows: readonly object[], message: string, asJson = false): void {
  const format = asJson ? (value: unknown) => value : roundNumber;
  const formatRow = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, format(value)]));
  printResult({ message, rows: rows.map(formatRow) }, asJson);
}

/** Rounds to three digits; unknown values are empty. */
function roundNumber(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Number.isNaN(value) ? '' : value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function readNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is "${text}"; give a whole number above 0, such as 1000.`);
}

/** Returns the names in the order of the tables. */
function readNames<Name extends string>(option: string, text: string, names: readonly Name[]): Name[] {
  const words = splitWords(text);
  const unknown = words.find((word) => !names.some((name) => name === word));
  if (unknown === undefined) return names.filter((name) => words.includes(name));
  throw new UsageError(`--${option} names "${unknown}". Choose from ${names.join(', ')}.`);
}
