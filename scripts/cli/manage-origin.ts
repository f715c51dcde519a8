import type { CommandName } from '#origin/admin/management/index.ts';
import { openManagement, runManagement } from '#origin/admin/management/run-management.ts';
import type { Management } from '#origin/admin/management/management.ts';
import { originSettings, type OriginArguments } from './origin-settings.ts';
import { printResult } from './print-result.ts';

/** Runs a command of the operator and prints its outcome. Arguments that were not given are left out. */
export async function manageOrigin(
  args: OriginArguments & { json?: boolean | undefined },
  command: CommandName,
  given: Record<string, unknown>,
): Promise<void> {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  printResult(await runManagement(readOptions(args), command, present), args.json);
}

/** The origin that runs, else its store: for several commands of the operator. Close it in the end. */
export function openOrigin(args: OriginArguments): Promise<Management> {
  return openManagement(readOptions(args));
}

function readOptions(args: OriginArguments) {
  const { dataFolder, databaseUrl, publicUrl, port } = originSettings(args);
  return { dataFolder, databaseUrl, publicUrl: publicUrl ?? `http://127.0.0.1:${port}` };
}
