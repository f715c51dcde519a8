import { podcast } from '#origin/namespaces/podcast/podcast-module.ts';
import { readBucket } from '#origin/platform/files/s3-files.ts';
import { createContext } from '#origin/platform/process/create-context.ts';
import { readOriginKey } from '#origin/platform/process/running-origin.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import { COMMANDS } from './commands.ts';
import type { Management, ManagementOptions } from './management-app.ts';

/**
 * Opens the store without a running origin.
 *
 * @throws {SortimentError} the errors of `openStore`
 */
export async function openDirectly({ dataFolder, databaseUrl, publicUrl }: ManagementOptions): Promise<Management> {
  const store = await openStore({ dataFolder, databaseUrl });
  try {
    const key = readOriginKey(dataFolder, process.env);
    // Commands write the tables of this module only.
    await applyModuleMigrations(store, [podcast]);
    const bucket = readBucket(process.env);
    const context = createContext({ store, key, dataFolder, bucket, publicUrl, registrations: [podcast] });
    return { run: (command, args) => COMMANDS[command](context, args), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}
