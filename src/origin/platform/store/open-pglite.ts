import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SortimentError } from '#contracts/index.ts';
import { PgliteClient } from './pglite-client.ts';
import type { StoreReply, WorkerOptions } from './pglite-protocol.ts';

/**
 * Starts PGlite over a folder in a thread of its own; an empty folder is initialised first. The caller sees to it
 * that nobody else has the folder open.
 */
export async function startPglite(options: WorkerOptions): Promise<PgliteClient> {
  const worker = new Worker(new URL('pglite-worker.ts', import.meta.url), { workerData: options, execArgv: [] });
  const [reply] = (await once(worker, 'message')) as [StoreReply];
  if (reply.kind !== 'failed') {
    worker.unref();
    return new PgliteClient(worker);
  }
  await worker.terminate();
  const { code = 'STORE_UNREADABLE', message, hint } = reply.error;
  if (/^[A-Z]+_/.test(code)) throw new SortimentError(code, message, { hint });
  throw new SortimentError('STORE_UNREADABLE', `The store in ${options.folder} can't be opened: ${message}`, {
    hint: 'Restore the folder from a backup, or delete it to start with an empty store.',
  });
}
