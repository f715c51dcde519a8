import { parsePort, runScript, UsageError } from './cli/index.ts';
import { parentExitSignal, stopSignal } from './cli/stop.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run watch --',
    description:
      'Keep the snapshot up to date: sync now, at an interval, and when a signed webhook arrives. Serves /hooks/changed, /healthz and /metrics.',
  },
  args: {
    interval: {
      type: 'string',
      valueHint: 'time',
      default: '5m',
      description: 'Time between syncs, such as 30s, 5m, 1h',
    },
    port: {
      type: 'string',
      valueHint: 'number',
      default: '4400',
      description: 'Port to listen on; 0 picks a free one',
    },
    host: { type: 'string', default: '127.0.0.1', description: 'Address to listen on' },
    build: { type: 'boolean', description: 'Build the site whenever the snapshot is newer' },
    json: { type: 'boolean', description: 'Print one line of JSON per event' },
    verbose: { type: 'boolean', description: 'Verbose output' },
  },
  run: async ({ args }) => {
    // Created first, so that a signal during the start ends the process properly as well.
    const signal = AbortSignal.any([stopSignal(), parentExitSignal()]);
    if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
    const { parseInterval } = await import('#commands/watch/run-queue.ts');
    const intervalMs = parseInterval(args.interval);
    if (intervalMs === undefined) {
      throw new UsageError(`"${args.interval}" is not an interval.`, 'Write --interval as in 30s, 5m or 1h.');
    }
    const port = parsePort(args.port);
    const { watchCatalogue } = await import('#commands/watch/watch-catalogue.ts');
    const { formatEvent } = await import('#commands/watch/watch-event.ts');
    const { createTerminal } = await import('./cli/create-terminal.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const settings = await loadSettings();
    const secrets = (process.env['SORTIMENT_WATCH_SECRET'] ?? '').split(/\s+/).filter(Boolean);
    const { logger, progress, done } = createTerminal({ quiet: Boolean(args.json), verbose: Boolean(args.verbose) });
    const build = args.build && (await import('#commands/build/build-site.ts')).createBuilder(settings, 'errors');
    await watchCatalogue(settings, {
      intervalMs,
      host: args.host,
      port,
      secrets,
      ...(build && { build }),
      signal,
      logger,
      progress,
      emit: (event) => {
        if (args.json) {
          process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`);
          return;
        }
        if (event.event === 'started') process.stdout.write(`${formatAddresses(event.url, event.webhooks)}\n`);
        const { level, text } = formatEvent(event);
        logger[level](text);
      },
    }).finally(done);
    // A pending hook request must not keep the process alive; its message is retried.
    setTimeout(() => process.exit(0), 1000).unref();
  },
});

function formatAddresses(url: string, webhooks: string | undefined): string {
  const rows = [
    ['Webhooks', webhooks ?? 'disabled: set SORTIMENT_WATCH_SECRET'],
    ['Health', `${url}/healthz`],
    ['Metrics', `${url}/metrics`],
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(10)}${value}`);
  return `Watching. Ctrl+C stops it.\n\n${lines.join('\n')}\n`;
}
