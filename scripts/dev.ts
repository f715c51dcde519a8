import { ADDRESS_ARGS, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run dev --',
    description:
      'Start the dev server with live reload; without upstreams of your own, it serves the demo interfaces too.',
  },
  args: {
    ...ADDRESS_ARGS,
    drafts: { type: 'boolean', description: 'Show drafts and scheduled content of the publishing site' },
  },
  run: async ({ args }) => {
    const { onStop } = await import('./cli/stop.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');
    const { readPort } = await import('./cli/read-values.ts');

    if (args.drafts) process.env['SORTIMENT_DRAFTS'] = '1';
    const port = readPort(args.port);
    const { root } = await loadSettings();
    const { dev } = await import('astro');
    const { closeSharedUpstreams } = await import('#build/upstreams/ensure-snapshot.ts');
    const { assertPortFree } = await import('#build/serve/start-site-server.ts');
    // Astro would use the next port, and the requested address would show another program.
    await assertPortFree(args.host, port);
    const vite = { server: { strictPort: true } };
    const server = await dev({ root, server: { port, host: args.host }, vite });
    onStop(() => server.stop().then(closeSharedUpstreams));
  },
});
