import { ADDRESS_ARGS, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run serve --',
    description: 'Serve the built site; without upstreams of your own, the demo interfaces too.',
  },
  args: {
    ...ADDRESS_ARGS,
    verbose: { type: 'boolean', description: 'Log requests to the interfaces' },
  },
  run: async ({ args }) => {
    if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
    const { onStop } = await import('./cli/stop.ts');
    const { readPort } = await import('./cli/read-values.ts');
    // Reports an invalid port before slow imports.
    const port = readPort(args.port);
    const { formatServedSite, serveSite } = await import('#commands/build/serve-site.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const settings = await loadSettings();
    const log = (line: string): void => void (args.verbose && console.error(line));
    const served = await serveSite(settings, { port, host: args.host, log });
    onStop(served.close);
    console.log(formatServedSite(settings, served));
  },
});
