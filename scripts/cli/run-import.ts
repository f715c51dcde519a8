import type { SiteImport } from '../../src/import/index.ts';
import type { Management } from '../../src/origin/management/run-management.ts';
import type { Terminal } from './create-terminal.ts';
import { EXIT_CHANGED } from './exit-changed.ts';
import { openOrigin } from './manage-origin.ts';
import type { OriginArguments } from './origin-settings.ts';
import { printResult } from './print-result.ts';

/** What an import is given: where it writes, whom it tells how far it is, and what ends it. */
export interface ImportTools {
  run: Management['run'];
  progress: Terminal['progress'];
  signal: AbortSignal;
}

/** Imports into the origin, prints the account and sets the exit code. Loads what it needs, as no other command does. */
export async function runImport(
  args: OriginArguments & { quiet?: boolean | undefined; json?: boolean | undefined },
  importInto: (tools: ImportTools) => Promise<SiteImport>,
): Promise<void> {
  const { formatImport } = await import('../../src/import/index.ts');
  const { createTerminal } = await import('./create-terminal.ts');
  const { stopSignal } = await import('./stop-signal.ts');
  const { progress, done } = createTerminal({ quiet: Boolean(args.quiet || args.json), verbose: false });
  const { run, close } = await openOrigin(args);
  try {
    const outcome = await importInto({ run, progress, signal: stopSignal() }).finally(done);
    printResult(args.json ? { message: '', ...outcome } : formatImport(outcome), args.json);
    if (outcome.changed) process.exitCode = EXIT_CHANGED;
  } finally {
    await close();
  }
}
