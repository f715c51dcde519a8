import type { OpenStore } from './store.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

export interface OpenStoreOptions {
  /** Holds the embedded store, its lock, and the origin's key and files. Made if missing. */
  dataFolder: string;
  /** `postgres://…`: use that database instead of the embedded store. */
  databaseUrl?: string | undefined;
}

/**
 * Opens the origin's store, with all migrations applied.
 *
 * @throws {SortimentError} STORE_LOCKED while another process has the embedded store open, STORE_UNREACHABLE when
 *   PostgreSQL doesn't answer, STORE_NEWER, STORE_UNREADABLE, STORE_NOT_DURABLE
 */
export function openStore({ dataFolder, databaseUrl }: OpenStoreOptions): Promise<OpenStore> {
  return databaseUrl ? openPostgres(databaseUrl, dataFolder) : openPglite(dataFolder);
}
