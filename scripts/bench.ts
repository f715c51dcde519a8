import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineCommand } from 'citty';
import { PEERS, SCENARIOS } from './bench/build-rows.ts';
import { runCommand, UsageError } from './cli/index.ts';
import { parentExitSignal } from './cli/parent-exit-signal.ts';
import { stopSignal } from './cli/stop-signal.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run bench --',
      description: 'Run benchmarks and print a table. Run nothing else meanwhile.',
    },
    subCommands: {
      build: defineCommand({
        meta: {
          name: 'build',
          description:
            'Build the same pages with this project, plain Astro, Eleventy, Hugo and bare template strings. Times are wall clock, so run nothing else.',
        },
        args: {
          pages: {
            type: 'string',
            default: '1000',
            valueHint: 'numbers',
            description: 'Catalogue sizes in product pages, comma-separated',
          },
          peers: {
            type: 'string',
            default: PEERS.join(','),
            valueHint: 'names',
            description: 'Builders to compare with; Hugo must be installed',
          },
          scenarios: {
            type: 'string',
            default: SCENARIOS.join(','),
            valueHint: 'names',
            description: 'Scenarios to measure, each after a cold build',
          },
          runs: {
            type: 'string',
            default: '3',
            valueHint: 'number',
            description: 'Runs of each scenario; the table shows medians',
          },
          folder: {
            type: 'string',
            valueHint: 'folder',
            description:
              'Folder for temporary builds; needs room for all pages of all peers. Default: /dev/shm, which is memory, where there is one',
          },
          chart: { type: 'string', valueHint: 'file', description: 'Also write an SVG chart' },
          json: { type: 'boolean', description: 'Print all rows, and the ratios of the largest catalogue, as JSON' },
        },
        run: async ({ args }) => {
          const { benchBuild, benchFolder } = await import('./bench/bench-build.ts');
          const { ratiosOf, toRows } = await import('./bench/build-rows.ts');
          const { drawChart } = await import('./bench/draw-chart.ts');
          const { showBuildRows } = await import('./bench/show-build-rows.ts');
          const sizes = readSizes(args.pages);
          const [runs = 1] = readSizes(args.runs);
          const measured = await Array.fromAsync(
            benchBuild({
              sizes,
              peers: readNames(args.peers, PEERS, 'peer'),
              scenarios: readNames(`cold,${args.scenarios}`, SCENARIOS, 'scenario'),
              runs,
              folder: readFolder(args.folder ?? benchFolder()),
              signal: AbortSignal.any([stopSignal(), parentExitSignal()]),
              report: (message) => console.error(message),
            }),
          );
          const rows = toRows(measured);
          if (args.chart !== undefined) writeFileSync(args.chart, drawChart(rows));
          const ratios = ratiosOf(rows, Math.max(...rows.map(({ pages }) => pages)));
          console.log(args.json ? JSON.stringify({ ratios, rows }) : showBuildRows(rows));
        },
      }),
      sync: defineCommand({
        meta: {
          name: 'sync',
          description:
            'Measure a sync: products per second, requests, bytes and memory, compared with a plain loop and a pool of requests',
        },
        args: {
          records: {
            type: 'string',
            default: '1000,10000',
            valueHint: 'numbers',
            description: 'Catalogue sizes, comma-separated',
          },
          before: {
            type: 'string',
            valueHint: 'folder',
            description: 'Another checkout, with its packages, to measure beside this one',
          },
          json: { type: 'boolean', description: 'Print the rows as JSON' },
        },
        run: async ({ args }) => {
          const { benchSync } = await import('./bench/bench-sync.ts');
          const { formatTable } = await import('./bench/format-table.ts');
          const rows = [];
          const before = args.before === undefined ? undefined : path.resolve(readFolder(args.before));
          for await (const row of benchSync({ sizes: readSizes(args.records), before })) {
            rows.push(row);
            if (!args.json)
              console.error(`${row.records} records, ${row.way}, ${row.run}, ${row.who}: ${row.seconds.toFixed(2)} s`);
          }
          console.log(args.json ? JSON.stringify(rows) : formatTable(rows));
        },
      }),
      memory: defineCommand({
        meta: {
          name: 'memory',
          description:
            'Measure what the origin holds in memory on its embedded store: at rest, after requests, after uploads, and over an hour of reads and writes',
        },
        args: {
          requests: { type: 'string', default: '20000', valueHint: 'number', description: 'Mixed requests' },
          uploads: { type: 'string', default: '500', valueHint: 'number', description: 'Pictures to upload' },
          minutes: { type: 'string', default: '60', valueHint: 'number', description: 'Minutes of reads and writes' },
          json: { type: 'boolean', description: 'Print the rows as JSON' },
        },
        run: async ({ args }) => {
          const { benchMemory } = await import('./bench/bench-memory.ts');
          const { formatTable } = await import('./bench/format-table.ts');
          const [requests = 1, uploads = 1, minutes = 1] = readSizes(
            [args.requests, args.uploads, args.minutes].join(','),
          );
          const rows = [];
          for await (const row of benchMemory({ requests, uploads, minutes })) {
            rows.push(row);
            if (!args.json) console.error(`${row.after}: ${row.megabytes?.toFixed(0) ?? '?'} MB`);
          }
          console.log(args.json ? JSON.stringify(rows) : formatTable(rows));
        },
      }),
      origin: defineCommand({
        meta: {
          name: 'origin',
          description:
            'Measure the publishing interface: requests per second and latency, on PGlite and on PostgreSQL, beside what it is made of and the live server that BENCH_LIVE_URL names',
        },
        args: {
          seconds: { type: 'string', default: '5', valueHint: 'number', description: 'Seconds per kind of request' },
          before: {
            type: 'string',
            valueHint: 'folder',
            description: 'Another checkout, with its packages, to measure beside this one',
          },
          json: { type: 'boolean', description: 'Print the rows and their ratios as JSON' },
        },
        run: async ({ args }) => {
          const { benchOrigin, compareRows } = await import('./bench/bench-origin.ts');
          const { formatTable } = await import('./bench/format-table.ts');
          const [seconds = 5] = readSizes(args.seconds);
          const before = args.before === undefined ? undefined : path.resolve(readFolder(args.before));
          const options = { seconds, before, liveUrl: process.env['BENCH_LIVE_URL'] || undefined };
          const rows = await Array.fromAsync(benchOrigin(options));
          const ratios = compareRows(rows);
          console.log(args.json ? JSON.stringify({ ratios, rows }) : `${formatTable(rows)}\n\n${formatTable(ratios)}`);
        },
      }),
    },
  }),
);

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size > 0 && size < 10_000_000)) return sizes;
  throw new UsageError(`"${text}" is not a list of whole numbers, such as 1000,10000.`);
}

/** Returns unique names in the order of the tables. */
function readNames<Name extends string>(text: string, names: readonly Name[], what: string): Name[] {
  const requested = text.split(',').map((name) => name.trim());
  const unknown = requested.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is not a ${what}. Choose from ${names.join(', ')}.`);
  return names.filter((name) => requested.includes(name));
}

function readFolder(text: string): string {
  if (existsSync(text)) return text;
  throw new UsageError(`The folder ${text} does not exist.`);
}
