import { limitMemory } from './cli/limit-memory.ts';
import { ADDRESS_ARGS, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm start --',
    description: 'Do everything: start the embedded origin if needed, sync, build, and serve the site.',
  },
  args: {
    ...ADDRESS_ARGS,
    verbose: { type: 'boolean', description: 'Verbose output' },
  },
  run: async ({ args }) => {
    limitMemory();
    if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
    const { onStop } = await import('./cli/stop.ts');
    const { readPort } = await import('./cli/read-values.ts');
    // Reports an invalid port before slow imports.
    const port = readPort(args.port);
    const { formatServedSite } = await import('#commands/build/serve-site.ts');
    const { startCatalogue } = await import('#commands/build/start-catalogue.ts');
    const { createTerminal } = await import('./cli/create-terminal.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const settings = await loadSettings();
    const verbose = Boolean(args.verbose);
    const { logger, progress, done } = createTerminal({ quiet: false, verbose });
    const options = { port, host: args.host, verbose, logger, progress };
    const served = await startCatalogue(settings, options).finally(done);
    onStop(served.close);
    console.log(`\n${formatServedSite(settings, served)}`);
  },
});
