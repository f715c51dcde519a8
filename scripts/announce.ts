import { defineCommand } from 'citty';
import { runCommand } from './cli/index.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run announce --',
      description:
        'Tells search engines by IndexNow which pages have changed since it was last called. Call it after a deployment.',
    },
    args: {
      'dry-run': { type: 'boolean', description: 'Lists the addresses, and sends nothing' },
      json: { type: 'boolean', description: 'Prints the result as JSON' },
    },
    run: async ({ args }) => {
      const { announcePages } = await import('#commands/announce/index.ts');
      const { loadSettings } = await import('./cli/load-settings.ts');

      const { addresses, sent } = await announcePages(await loadSettings(), { dryRun: args['dry-run'] });
      if (args.json) return void console.log(JSON.stringify({ addresses, sent }));
      if (args['dry-run']) for (const address of addresses) console.log(address);
      console.log(`${addresses.length} pages ${sent ? 'announced' : 'to be announced'}.`);
    },
  }),
);
