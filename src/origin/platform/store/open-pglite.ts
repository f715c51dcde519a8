import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SortimentError } from '#contracts/index.ts';
import { applyMigrations } from './apply-migrations.ts';
import { bindPglite } from './bind-pglite.ts';
import { createFromImage } from './create-from-image.ts';
import { lockPath } from './lock-path.ts';
import type { OpenStore } from './store.ts';
import type { PgliteClient } from './pglite-client.ts';
import { startPglite } from './start-pglite.ts';
import { takeLock } from './take-lock.ts';

/** The embedded store: PGlite in a thread, behind a lock, flushed to the disk. */
export async function openPglite(dataFolder: string): Promise<OpenStore & { client: PgliteClient }> {
  let client: PgliteClient | undefined;
  const lock = takeLock(lockPath(dataFolder), () => client?.stop(lostError(dataFolder)));
  try {
    const folder = resolve(dataFolder, 'store');
    if (!existsSync(folder)) await createFromImage(folder);
    client = await startPglite({ folder, durable: true });
    const opened = client;
    const db = bindPglite(opened);
    await applyMigrations(db, (run) => run());
    const close = async () => {
      await opened.close();
      lock.release();
    };
    return { db, engine: 'pglite', client: opened, announce: lock.announce, close };
  } catch (error) {
    client?.stop();
    lock.release();
    throw error;
  }
}

function lostError(dataFolder: string): SortimentError {
  return new SortimentError('STORE_LOST', `The lock of the store in ${dataFolder} was taken away from this process.`, {
    hint: 'Keep one origin per data folder, and leave its lock alone while it runs.',
  });
}
