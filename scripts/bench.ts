import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineCommand } from 'citty';
import { PEERS, SCENARIOS } from './bench/build-rows.ts';
import { runCommand, UsageError } from './cli/index.ts';
import { parentGone } from './cli/parent-gone.ts';
import { stopSignal } from './cli/stop-signal.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run bench --',
      description: 'Measures, on this machine, and prints a table. Nothing else should be running.',
    },
    subCommands: {
      build: defineCommand({
        meta: {
          name: 'build',
          description:
            'Builds of the same pages by this project, plain Astro, Eleventy, Hugo and bare template strings. Nothing else should be running: the times are wall clock.',
        },
        args: {
          pages: {
            type: 'string',
            default: '1000',
            valueHint: 'numbers',
            description: 'Numbers of product pages, separated by commas',
          },
          peers: {
            type: 'string',
            default: PEERS.join(','),
            valueHint: 'names',
            description: 'Whom to compare with; Hugo only takes part where it is installed',
          },
          scenarios: {
            type: 'string',
            default: SCENARIOS.join(','),
            valueHint: 'names',
            description: 'What to measure. All begin with a cold build, which is measured too',
          },
          runs: {
            type: 'string',
            default: '3',
            valueHint: 'number',
            description: 'Of each scenario; medians are told',
          },
          folder: {
            type: 'string',
            default: tmpdir(),
            valueHint: 'folder',
            description: 'Where to build. It needs room for all pages of all peers, and is left as it was',
          },
          chart: { type: 'string', valueHint: 'file', description: 'Writes an SVG chart there too' },
          json: { type: 'boolean', description: 'Prints the ratios (of the largest catalogue) and all rows as JSON' },
        },
        run: async ({ args }) => {
          const { benchBuild } = await import('./bench/bench-build.ts');
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
              folder: readFolder(args.folder),
              signal: AbortSignal.any([stopSignal(), parentGone()]),
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
          description: 'Products a second, requests, bytes and memory of a sync, against a loop and a pool of requests',
        },
        args: {
          records: {
            type: 'string',
            default: '1000,10000',
            valueHint: 'numbers',
            description: 'Sizes of catalogues, separated by commas',
          },
          json: { type: 'boolean', description: 'Prints the rows as JSON' },
        },
        run: async ({ args }) => {
          const { benchSync } = await import('./bench/bench-sync.ts');
          const { formatTable } = await import('./bench/format-table.ts');
          const rows = [];
          for await (const row of benchSync(readSizes(args.records))) {
            rows.push(row);
            if (!args.json)
              console.error(`${row.records} records, ${row.way}, ${row.run}: ${row.seconds.toFixed(2)} s`);
          }
          console.log(args.json ? JSON.stringify(rows) : formatTable(rows));
        },
      }),
      origin: defineCommand({
        meta: {
          name: 'origin',
          description: 'Requests a second and times of the publishing interface, on PGlite and on PostgreSQL',
        },
        args: {
          seconds: { type: 'string', default: '5', valueHint: 'number', description: 'For each kind of request' },
          json: { type: 'boolean', description: 'Prints the rows as JSON' },
        },
        run: async ({ args }) => {
          const { benchOrigin } = await import('./bench/bench-origin.ts');
          const { formatTable } = await import('./bench/format-table.ts');
          const [seconds = 5] = readSizes(args.seconds);
          const rows = await Array.fromAsync(benchOrigin(seconds));
          console.log(args.json ? JSON.stringify(rows) : formatTable(rows));
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

/** In the order of the tables, each once. */
function readNames<Name extends string>(text: string, names: readonly Name[], what: string): Name[] {
  const given = text.split(',').map((name) => name.trim());
  const unknown = given.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is no ${what}; there are ${names.join(', ')}.`);
  return names.filter((name) => given.includes(name));
}

function readFolder(text: string): string {
  if (existsSync(text)) return text;
  throw new UsageError(`There is no folder ${text}.`);
}
