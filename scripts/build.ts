import { defineCommand } from 'citty';
import { runCommand } from './cli/index.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run build --',
      description: 'Builds the static site from the snapshot. Only when there is none yet, it syncs first.',
    },
    args: {
      json: { type: 'boolean', description: 'Prints the result as JSON' },
      verbose: { type: 'boolean', description: 'Says what Astro does' },
    },
    run: async ({ args }) => {
      if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
      const { buildSite } = await import('../src/integration/commands/build-site.ts');
      const { sumUpBuild } = await import('../src/integration/commands/sum-up.ts');
      const { loadSettings } = await import('./cli/load-settings.ts');

      const output = args.json ? 'errors' : args.verbose ? 'all' : 'summary';
      const built = await buildSite(await loadSettings(), output);
      console.log(args.json ? JSON.stringify(built) : sumUpBuild(built));
    },
  }),
);
