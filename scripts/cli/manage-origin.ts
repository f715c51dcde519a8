import type { CommandName } from '../../src/origin/management/index.ts';
import { runManagement } from '../../src/origin/management/run-management.ts';
import { originSettings, type OriginArguments } from './origin-settings.ts';
import { printResult } from './print-result.ts';

/** Runs a command of the operator and prints its outcome. Arguments that were not given are left out. */
export async function manageOrigin(
  args: OriginArguments & { json?: boolean | undefined },
  command: CommandName,
  given: Record<string, unknown>,
): Promise<void> {
  const { dataFolder, databaseUrl, publicUrl, port } = originSettings(args);
  const options = { dataFolder, databaseUrl, publicUrl: publicUrl ?? `http://127.0.0.1:${port}` };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  printResult(await runManagement(options, command, present), args.json);
}
