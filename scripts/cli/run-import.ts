import path from 'node:path';
import { styleText } from 'node:util';
import { readEnvironment } from '#config/index.ts';
import { getErrorMessage, describeSystemError } from '#contracts/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import { formatImportReport } from '#commands/import/format-import-report.ts';
import type { ImportResult } from '#commands/import/connect-site.ts';
import type { Management } from '#origin/admin/management/management-app.ts';
import { createTerminal, type Terminal } from './create-terminal.ts';
import { ROOT } from './load-settings.ts';
import { readManagementOptions, type OriginArguments } from './origin-settings.ts';
import { EXIT_CHANGED, formatTable, printResult } from './index.ts';
import { stopSignal } from './stop.ts';

/** Runs an import into the origin, writes the report, prints the summary and sets the exit code. */
export async function runImport(
  args: OriginArguments & { quiet?: boolean | undefined; json?: boolean | undefined },
  importInto: (
    tools: Pick<Management, 'run'> & Pick<Terminal, 'progress'> & { signal: AbortSignal },
  ) => Promise<ImportResult>,
): Promise<void> {
  const { progress, done } = createTerminal({ quiet: Boolean(args.quiet || args.json), verbose: false });
  const { openManagement } = await import('#origin/admin/management/run-management.ts');
  const { run, close } = await openManagement(await readManagementOptions(args));
  try {
    const outcome = await importInto({ run, progress, signal: stopSignal() }).finally(done);
    const reportFile = await writeReport(outcome);
    const output = args.json ? { message: '', ...outcome, reportFile } : formatImportReport(outcome, { reportFile });
    printResult(output, args.json);
    if (outcome.changed) process.exitCode = EXIT_CHANGED;
  } finally {
    await close();
  }
}

/** Writes the complete summary next to the reports of a sync. A failure to write it is only a warning. */
async function writeReport(outcome: ImportResult): Promise<string | undefined> {
  const home = path.resolve(ROOT, readEnvironment(ROOT).SORTIMENT_HOME ?? '.sortiment');
  const file = path.join(home, 'report', 'import.txt');
  const { message, rows } = formatImportReport(outcome, { shown: Infinity });
  try {
    await replaceFile(file, `${new Date().toISOString()}\n\n${formatTable(rows)}\n${message}\n`);
    return file;
  } catch (error) {
    const why = describeSystemError(error)?.why ?? getErrorMessage(error);
    process.stderr.write(
      `${styleText('yellow', `The report could not be written: ${why}.`, { stream: process.stderr })}\n`,
    );
    return undefined;
  }
}
