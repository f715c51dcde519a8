import { limitMemory } from './cli/limit-memory.ts';
import { runScript, UsageError, EXIT_CHANGED } from './cli/index.ts';

/** @throws UsageError if it isn't a number above 0. */
function readLimit(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new UsageError(`--${name} is "${text}"; give a number above 0.`);
}

const SOURCES = ['product', 'publishing'] as const;

/**
 * Parses `--full`, for both sources, and `--full=<source>`.
 *
 * @throws UsageError for another source.
 */
function readFull(argv: readonly string[]): (typeof SOURCES)[number][] {
  const fullOptions = argv.filter((arg) => arg === '--full' || arg.startsWith('--full='));
  return fullOptions.flatMap((arg) => {
    const name = arg.slice('--full='.length);
    if (name === '') return [...SOURCES];
    const source = SOURCES.find((one) => one === name);
    if (source) return [source];
    throw new UsageError(`--full is "${name}".`, 'Give --full alone, --full=product or --full=publishing.');
  });
}

export default await runScript(import.meta, {
  meta: {
    name: 'npm run sync --',
    description:
      'Fetch both interfaces and commit one snapshot, or nothing. Exits with 0 if nothing changed, 10 if something changed.',
  },
  args: {
    accept: {
      type: 'string',
      valueHint: 'digest',
      description: 'Accept the blocked mass change',
    },
    full: {
      type: 'boolean',
      description:
        'Read everything again, whatever validators, dates and ages say; --full=product or --full=publishing reads one source',
    },
    'max-requests': {
      type: 'string',
      valueHint: 'number',
      description: 'Stop after this many requests; the longest unread records go first',
    },
    'max-minutes': {
      type: 'string',
      valueHint: 'minutes',
      description: 'Stop after this many minutes; the longest unread records go first',
    },
    'require-snapshot': {
      type: 'boolean',
      description: 'Stop if the snapshot of an already published site is missing',
    },
    'exit-zero': { type: 'boolean', description: 'Exit with 0 if something changed, for commands joined by &&' },
    json: { type: 'boolean', description: 'Print the report as JSON' },
    report: {
      type: 'string',
      valueHint: 'folder',
      description: 'Also copy the reports (HTML, Markdown, JSON, history) there, even if the run fails',
    },
    quiet: { type: 'boolean', description: 'Print only the report' },
    verbose: { type: 'boolean', description: 'Verbose output' },
  },
  run: async ({ args, rawArgs }) => {
    limitMemory();
    if (args.verbose) process.env['SORTIMENT_DEBUG'] = '1';
    const full = readFull(rawArgs);
    const maxRequests = readLimit('max-requests', args['max-requests']);
    const maxMinutes = readLimit('max-minutes', args['max-minutes']);
    const { requireSnapshot, syncCatalogue } = await import('#commands/build/sync-catalogue.ts');
    const { formatReport } = await import('#sync/report/format-report.ts');
    const { copyReport } = await import('#sync/report/write-report.ts');
    const { createTerminal } = await import('./cli/create-terminal.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');
    const { stopSignal } = await import('./cli/stop.ts');

    const terminal = createTerminal({ quiet: Boolean(args.quiet || args.json), verbose: Boolean(args.verbose) });
    const settings = await loadSettings();
    if (args['require-snapshot']) await requireSnapshot(settings);
    const report = await syncCatalogue(settings, {
      logger: terminal.logger,
      progress: terminal.progress,
      signal: stopSignal(),
      full,
      ...(args.accept !== undefined && { accept: args.accept }),
      ...(maxRequests !== undefined && { maxRequests }),
      ...(maxMinutes !== undefined && { maxMinutes }),
    }).finally(async () => {
      terminal.done();
      if (args.report !== undefined) await copyReport(settings, args.report, terminal);
    });
    console.log(args.json ? JSON.stringify(report) : formatReport(report));
    if (report.changed && !args['exit-zero']) process.exitCode = EXIT_CHANGED;
  },
});
