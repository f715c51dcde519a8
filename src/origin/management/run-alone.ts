import { createContext } from '../server/create-context.ts';
import { readOriginKey } from '../server/read-origin-key.ts';
import { openStore } from '../store/index.ts';
import type { CommandResult } from './command.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import type { ManagementOptions } from './run-management.ts';

/** Runs a command on a store that nobody else has open. @throws {SortimentError} those of `openStore` and of the command */
export async function runAlone(
  { dataFolder, databaseUrl, publicUrl }: ManagementOptions,
  command: CommandName,
  args: Record<string, unknown>,
): Promise<CommandResult> {
  const store = await openStore({ dataFolder, databaseUrl });
  try {
    const key = readOriginKey(dataFolder, process.env);
    return await COMMANDS[command](createContext({ store, key, dataFolder, publicUrl }), args);
  } finally {
    await store.close();
  }
}
