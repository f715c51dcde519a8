import { JSON_ARG, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run announce --',
    description:
      'Submit pages changed since the last call to search engines (IndexNow), and changed feeds to the hub. Run it after a deployment.',
  },
  args: {
    'dry-run': { type: 'boolean', description: 'List the addresses without sending them' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const { announcePages } = await import('#commands/announce/announce-pages.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const { addresses, feeds, sent } = await announcePages(await loadSettings(), { dryRun: args['dry-run'] });
    if (args.json) return void console.log(JSON.stringify({ addresses, feeds, sent }));
    if (args['dry-run']) for (const address of [...addresses, ...feeds]) console.log(address);
    console.log(`${addresses.length} pages and ${feeds.length} feeds ${sent ? 'announced' : 'to be announced'}.`);
  },
});
