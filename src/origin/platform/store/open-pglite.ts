import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { DurableFileSystem } from './durable-file-system.ts';
import { PgliteClient } from './pglite-client.ts';

/**
 * WAL is limited, as without a checkpointer process, recovery reads up to `max_wal_size`. The default 128 MB of
 * buffers would all be used over time and never released.
 */
const SETTINGS = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=16MB', 'shared_buffers=16MB'];

/**
 * Starts PGlite. An empty folder is initialised first. The caller ensures that no other process has the folder open.
 *
 * @param folder folder of the database
 * @param isDurable true to flush commits to the disk. False only while the initial image is built
 */
export async function startPglite(
  folder: string,
  isDurable = true,
): Promise<{ client: PgliteClient; files: DurableFileSystem }> {
  // Recompiling Postgres with optimisations temporarily takes half a gigabyte.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  const files = new DurableFileSystem(folder);
  try {
    const pglite = await PGlite.create({
      fs: files,
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F' || !isDurable),
        ...SETTINGS.flatMap((setting) => ['-c', setting]),
      ],
      initDbStartParams: ['--wal-segsize=1'],
    });
    if (isDurable) assertFlushed(files);
    return { client: new PgliteClient(pglite), files };
  } catch (error) {
    if (isSortimentError(error)) throw error;
    throw new SortimentError('STORE_UNREADABLE', `The store in ${folder} can't be opened: ${String(error)}`, {
      hint: 'Restore the folder from a backup, or delete it to start with an empty store.',
      cause: error,
    });
  }
}

/** Opening a store flushes the control file. Without a flush, PGlite doesn't use the hook. */
function assertFlushed({ flushes }: DurableFileSystem): void {
  if (flushes > 0) return;
  throw new SortimentError('STORE_NOT_DURABLE', 'PGlite opened the store without flushing anything to the disk.', {
    hint: 'Install the exact version of @electric-sql/pglite required by package.json.',
  });
}
