import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SortimentError } from '#contracts/index.ts';
import { PgliteClient, type StoreConnection } from './pglite-client.ts';
import { StoreQueryError } from './query-errors.ts';
import type { WireError } from './pglite-wire.ts';

/** The worker needs little JavaScript memory; Postgres' memory isn't included. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

export interface OpenPglite {
  client: PgliteClient;
  thread: PgliteThread;
}

/**
 * Starts PGlite in a worker thread. An empty folder is initialised first. The caller ensures that no other process
 * has the folder open.
 */
export async function startPglite(options: WorkerOptions): Promise<OpenPglite> {
  const worker = new Worker(new URL('pglite-worker.ts', import.meta.url), {
    workerData: options,
    execArgv: [],
    resourceLimits: LIMITS,
  });
  const [reply] = (await once(worker, 'message')) as [StoreReply];
  if (reply.kind !== 'failed') {
    const thread = new PgliteThread(worker);
    return { thread, client: new PgliteClient(thread) };
  }
  await worker.terminate();
  const { code = 'STORE_UNREADABLE', message, hint } = reply.error;
  if (/^[A-Z]+_/.test(code)) throw new SortimentError(code, message, { hint });
  throw new SortimentError('STORE_UNREADABLE', `The store in ${options.folder} can't be opened: ${message}`, {
    hint: 'Restore the folder from a backup, or delete it to start with an empty store.',
  });
}

/** The main thread's connection to the worker. */
export class PgliteThread implements StoreConnection {
  readonly #worker: Worker;
  /** Requests since the last send. They are sent together, so that the worker wakes up once. */
  #unsent: ProtocolRequest[] = [];
  /** Pending requests in order, which is the order of responses. */
  readonly #waiting: PromiseWithResolvers<ArrayBuffer>[] = [];
  #end: SortimentError | undefined;
  /** Number of flushes to the disk, as of the latest response. */
  flushes = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (reply: StoreReply) => this.#resolve(reply));
    worker.on('error', (error) => this.stop(error));
    worker.on('exit', () => this.stop());
  }

  exchange(messages: ArrayBuffer, maxBytes: number): Promise<ArrayBuffer> {
    if (this.#end) return Promise.reject(this.#end);
    if (this.#unsent.length === 0) process.nextTick(() => this.#sendAll());
    this.#unsent.push({ messages, maxBytes });
    return this.#wait();
  }

  async close(): Promise<void> {
    if (this.#end) return;
    this.#sendAll();
    this.#send('close');
    await this.#wait();
    this.stop();
  }

  /** Terminates the thread immediately, like a kill. No acknowledged write is lost. */
  stop(cause?: unknown): void {
    this.#end ??= new SortimentError('STORE_CLOSED', 'The store is closed.', { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
    void this.#worker.terminate();
  }

  #wait(): Promise<ArrayBuffer> {
    const response = Promise.withResolvers<ArrayBuffer>();
    this.#waiting.push(response);
    // The process stays alive for pending requests, not for an open store.
    this.#worker.ref();
    return response.promise;
  }

  #sendAll(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    const transferred = unsent.map(({ messages }) => messages);
    if (unsent.length > 0 && !this.#end) this.#send(unsent, transferred);
  }

  #send(request: StoreRequest, transferred: ArrayBuffer[] = []): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(request, transferred);
  }

  #resolve(reply: StoreReply): void {
    if (reply.kind !== 'done' && reply.kind !== 'broken') return;
    const pending = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (reply.kind === 'broken') return pending?.reject(new StoreQueryError(reply.error));
    this.flushes = reply.flushes;
    pending?.resolve(reply.answer);
  }
}

/** Messages between the main thread and the store's worker. Buffers are transferred, not copied. */

export interface WorkerOptions {
  folder: string;
  /** True to flush commits to the disk. False only while the initial image is built. */
  durable: boolean;
}

/** Messages of the Postgres protocol, and maximum size of the response. */
interface ProtocolRequest {
  messages: ArrayBuffer;
  maxBytes: number;
}

/** Protocol requests in order, or the request to close. */
export type StoreRequest = ProtocolRequest[] | 'close';

/** Replies in the order of requests. */
export type StoreReply =
  | { kind: 'open' }
  | { kind: 'failed'; error: WireError }
  /** `flushes`: total number of flushes to the disk. */
  | { kind: 'done'; answer: ArrayBuffer; flushes: number }
  /** PGlite itself failed. Postgres errors are part of the response. */
  | { kind: 'broken'; error: WireError };
