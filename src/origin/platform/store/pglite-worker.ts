import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { SortimentError } from '#contracts/index.ts';
import { DurableFileSystem } from './durable-file-system.ts';
import type { StoreReply, StoreRequest, WorkerOptions } from './open-pglite.ts';
import { exchangeBytes, type WireError } from './pglite-wire.ts';

/**
 * Worker thread of the embedded store, so that slow queries don't block the server. Requests run in order. Started by
 * `open-pglite.ts`.
 */

const { folder, durable } = workerData as WorkerOptions;
const files = new DurableFileSystem(folder);

/**
 * WAL is limited, as without a checkpointer process, recovery reads up to `max_wal_size`. The default 128 MB of
 * buffers would all be used over time and never released.
 */
const SETTINGS = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=16MB', 'shared_buffers=16MB'];

// Recompiling Postgres with optimisations temporarily takes half a gigabyte.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

try {
  const store = await PGlite.create({
    fs: files,
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F' || !durable),
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
    initDbStartParams: ['--wal-segsize=1'],
  });
  if (durable) assertFlushed();
  parentPort?.on('message', (request: StoreRequest) => void handle(store, request));
  reply({ kind: 'open' });
} catch (error) {
  reply({ kind: 'failed', error: toWireError(error) });
}

async function handle(store: PGlite, request: StoreRequest): Promise<void> {
  const tasks =
    request === 'close'
      ? [() => store.close()]
      : request.map(
          ({ messages, maxBytes }) =>
            () =>
              exchangeBytes(store, messages, maxBytes),
        );
  // PGlite runs one at a time, in the order of calls.
  await Promise.all(tasks.map(runTask));
}

async function runTask(task: () => Promise<ArrayBuffer | void>): Promise<void> {
  try {
    const bytes = (await task()) ?? new ArrayBuffer(0);
    reply({ kind: 'done', answer: bytes, flushes: files.flushes }, [bytes]);
  } catch (error) {
    reply({ kind: 'broken', error: toWireError(error) });
  }
}

/** Opening a store flushes the control file. Without a flush, PGlite doesn't use the hook. */
function assertFlushed(): void {
  if (files.flushes > 0) return;
  throw new SortimentError('STORE_NOT_DURABLE', 'PGlite opened the store without flushing anything to the disk.', {
    hint: 'Install the exact version of @electric-sql/pglite required by package.json.',
  });
}

function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, hint } = error as Error & Partial<WireError>;
  return { message: error.message, code, hint };
}

function reply(message: StoreReply, transferred: ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message, transferred);
}
