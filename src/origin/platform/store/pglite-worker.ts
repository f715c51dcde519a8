import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { SortimentError } from '#contracts/index.ts';
import { DurableFileSystem } from './durable-file-system.ts';
import type { StoreReply, StoreRequest, WorkerOptions } from './pglite-protocol.ts';
import { exchangeBytes, type WireError } from './pglite-wire.ts';

/**
 * The thread that holds the embedded store, so that a slow query doesn't stop the server. It answers in the
 * order it is asked. `open-pglite.ts` starts it.
 */

const { folder, durable } = workerData as WorkerOptions;
const files = new DurableFileSystem(folder);

/**
 * WAL is kept small: without a checkpointer process, recovery after a kill reads up to `max_wal_size`. Buffers of the
 * usual 128 MB are touched one after the other and never given back.
 */
const SETTINGS = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=16MB', 'shared_buffers=16MB'];

// Compiling all of Postgres again, to be faster, takes half a gigabyte for a while.
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
  parentPort?.on('message', (request: StoreRequest) => void answer(store, request));
  reply({ kind: 'open' });
} catch (error) {
  reply({ kind: 'failed', error: toWireError(error) });
}

async function answer(store: PGlite, request: StoreRequest): Promise<void> {
  const asked =
    request === 'close'
      ? [() => store.close()]
      : request.map(
          ({ messages, maxBytes }) =>
            () =>
              exchangeBytes(store, messages, maxBytes),
        );
  // PGlite does one after the other, in the order in which it is asked.
  await Promise.all(asked.map(answerOne));
}

async function answerOne(ask: () => Promise<ArrayBuffer | void>): Promise<void> {
  try {
    const bytes = (await ask()) ?? new ArrayBuffer(0);
    reply({ kind: 'done', answer: bytes, flushes: files.flushes }, [bytes]);
  } catch (error) {
    reply({ kind: 'broken', error: toWireError(error) });
  }
}

/** Opening writes and flushes the control file: without a flush by now, the hook isn't where PGlite looks. */
function assertFlushed(): void {
  if (files.flushes > 0) return;
  throw new SortimentError('STORE_NOT_DURABLE', 'PGlite opened the store without flushing anything to the disk.', {
    hint: 'Install the exact version of @electric-sql/pglite that package.json names.',
  });
}

function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, hint } = error as Error & Partial<WireError>;
  return { message: error.message, code, hint };
}

function reply(message: StoreReply, given: ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message, given);
}
