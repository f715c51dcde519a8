import { defineCommand } from 'citty';
import { JSON_ARG, runScript, UsageError } from './cli/index.ts';
import { limitMemory } from './cli/limit-memory.ts';

const merge = defineCommand({
  meta: { name: 'merge', description: 'Merge shard builds; needs the snapshot that they were built from' },
  args: {
    folders: { type: 'positional', valueHint: 'folders...', description: 'The dist/ folder of each shard build' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const { mergeSite } = await import('#commands/build/build-site.ts');
    const { formatBuildSummary } = await import('#commands/build/format-summary.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const built = await mergeSite(await loadSettings(), args._);
    for (const warning of args.json ? [] : built.warnings) console.error(warning);
    console.log(args.json ? JSON.stringify(built) : `${formatBuildSummary(built)} (${built.why})`);
  },
});

export default await runScript(import.meta, {
  meta: {
    name: 'npm run build --',
    description: 'Build the static site from the snapshot. Syncs first if there is no snapshot yet.',
  },
  subCommands: { merge },
  args: {
    json: JSON_ARG,
    shard: {
      type: 'string',
      valueHint: '3/16',
      description: 'Render one shard of the pages, for `merge`',
    },
    threads: {
      type: 'string',
      valueHint: 'number',
      description: 'Number of rendering threads (default: one per core if there are many pages)',
    },
    'default-loop': {
      type: 'boolean',
      description: 'Render every page with Astro itself, into an empty folder: slow, for comparison',
    },
    verbose: { type: 'boolean', description: 'Verbose output' },
  },
  run: async ({ args }) => {
    limitMemory({ malloc: false });
    if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
    const { parseShard } = await import('#build/shard.ts');
    const shard = args.shard === undefined ? undefined : parseShard(args.shard);
    const threads = readThreads(args.threads);
    const { buildSite } = await import('#commands/build/build-site.ts');
    const { formatBuildSummary } = await import('#commands/build/format-summary.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const output = args.json ? 'errors' : args.verbose ? 'all' : 'summary';
    const built = await buildSite(await loadSettings(), output, {
      defaultLoop: args['default-loop'] ?? false,
      shard,
      threads,
      onLongWay: (why) => {
        if (!args.json) console.error(`Building with Vite: ${why}.`);
      },
      onProgress: (message) => {
        if (!args.json) console.log(message);
      },
      onDebug: (message) => {
        if (args.verbose) console.error(message);
      },
    });
    for (const warning of args.json ? [] : built.warnings) console.error(warning);
    console.log(args.json ? JSON.stringify(built) : `${formatBuildSummary(built)} (${built.way}: ${built.why})`);
  },
});

function readThreads(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d?$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--threads is "${text}"; give a number from 1 to 99.`);
}
