import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type Results } from '@electric-sql/pglite';
import { SortimentError } from '#contracts/index.ts';
import { DurableFileSystem } from './durable-file-system.ts';
import type { RawError, RawResult, StoreReply, StoreRequest, WorkerOptions } from './pglite-protocol.ts';

/**
 * The thread that holds the embedded store, so that a slow query doesn't stop the server. It answers in the
 * order it is asked. `open-pglite.ts` starts it.
 */

const { folder, durable } = workerData as WorkerOptions;
const files = new DurableFileSystem(folder);

/** WAL is kept small: without a checkpointer process, recovery after a kill reads up to `max_wal_size`. */
const SETTINGS = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=16MB'];

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
  // The main thread reads values. Given with each query instead, these would be merged with all others each time.
  for (const type of Object.keys(store.parsers).map(Number)) store.parsers[type] = (text: string) => text;
  parentPort?.on('message', (request: StoreRequest) => void answer(store, request));
  reply({ kind: 'open' });
} catch (error) {
  reply({ kind: 'failed', error: toRawError(error) });
}

async function answer(store: PGlite, request: StoreRequest): Promise<void> {
  const { id } = request;
  try {
    const results = await execute(store, request);
    reply({ kind: 'done', id, results: results.map(toRawResult), flushes: files.flushes });
  } catch (error) {
    reply({ kind: 'refused', id, error: toRawError(error) });
  }
}

const ARRAYS = { rowMode: 'array' } as const;

async function execute(store: PGlite, request: StoreRequest): Promise<Results[]> {
  switch (request.kind) {
    case 'query':
      return [await store.query<Record<string, unknown>>(request.sql, [...request.params], ARRAYS)];
    case 'script':
      return store.exec(request.sql, ARRAYS);
    case 'flushes':
      return [];
    case 'close':
      await store.close();
      return [];
  }
}

/** Opening writes and flushes the control file: without a flush by now, the hook isn't where PGlite looks. */
function assertFlushed(): void {
  if (files.flushes > 0) return;
  throw new SortimentError('STORE_NOT_DURABLE', 'PGlite opened the store without flushing anything to the disk.', {
    hint: 'Install the exact version of @electric-sql/pglite that package.json names.',
  });
}

function toRawResult({ fields, rows, affectedRows = 0 }: Results): RawResult {
  return { fields, rows: rows as unknown as RawResult['rows'], affectedRows };
}

function toRawError(error: unknown): RawError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, detail, hint, table, column, constraint } = error as Error & Partial<RawError>;
  return { message: error.message, code, detail, hint, table, column, constraint };
}

function reply(message: StoreReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
