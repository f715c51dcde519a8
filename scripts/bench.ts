import { defineCommand } from 'citty';
import { runCommand, UsageError } from './cli/index.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run bench --',
      description: 'Measures, on this machine, and prints a table. Nothing else should be running.',
    },
    subCommands: {
      sync: defineCommand({
        meta: {
          name: 'npm run bench -- sync',
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
          name: 'npm run bench -- origin',
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
