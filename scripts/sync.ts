import { defineCommand } from 'citty';
import { runCommand } from './cli/index.ts';

const EXIT_CHANGED = 10;

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run sync --',
      description:
        'Fetches both interfaces and commits one snapshot, or nothing. Exits with 0 if nothing changed, 10 if something did.',
    },
    args: {
      accept: {
        type: 'string',
        valueHint: 'digest',
        description: 'Lets the mass change through that a run has stopped at',
      },
      json: { type: 'boolean', description: 'Prints the report as JSON' },
      quiet: { type: 'boolean', description: 'Prints the report only' },
      verbose: { type: 'boolean', description: 'Says more' },
    },
    run: async ({ args }) => {
      if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
      const { syncCatalogue } = await import('../src/integration/commands/sync-catalogue.ts');
      const { formatReport } = await import('../src/sync/index.ts');
      const { createTerminal } = await import('./cli/create-terminal.ts');
      const { loadSettings } = await import('./cli/load-settings.ts');
      const { stopSignal } = await import('./cli/stop-signal.ts');

      const terminal = createTerminal({ quiet: Boolean(args.quiet || args.json), verbose: Boolean(args.verbose) });
      const report = await syncCatalogue(await loadSettings(), {
        logger: terminal.logger,
        progress: terminal.progress,
        signal: stopSignal(),
        ...(args.accept !== undefined && { accept: args.accept }),
      }).finally(terminal.done);
      console.log(args.json ? JSON.stringify(report) : formatReport(report));
      if (report.changed) process.exitCode = EXIT_CHANGED;
    },
  }),
);
