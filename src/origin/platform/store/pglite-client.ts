import { AsyncLocalStorage } from 'node:async_hooks';
import type { Worker } from 'node:worker_threads';
import { types, type QueryOptions, type PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import type { RawResult, StoreReply, StoreRequest } from './pglite-protocol.ts';
import { StoreQueryError } from './query-errors.ts';
import * as schema from './schema.ts';
import type { Database } from './store.ts';

type Parsers = NonNullable<QueryOptions['parsers']>;
type Row = Record<string, unknown> | unknown[];

interface QueryResult {
  rows: Row[];
  fields: RawResult['fields'];
  affectedRows: number;
}

/** What drizzle's PGlite driver asks of a client. */
export interface StoreSession {
  query(sql: string, params?: readonly unknown[], options?: QueryOptions): Promise<QueryResult>;
}

/**
 * The main thread's side of the store's worker. Requests go out as they come and are answered in order; a
 * transaction keeps everything that is asked after it waiting until it has ended.
 */
export class PgliteClient implements StoreSession {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<RawResult[]>>();
  readonly #inTransaction = new AsyncLocalStorage<{ open: boolean }>();
  #lastId = 0;
  #gate: Promise<void> = Promise.resolve();
  #end: SortimentError | undefined;
  /** How often the worker has flushed to the disk, as of its last answer. */
  flushes = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: StoreReply) => this.#resolve(reply));
    worker.on('error', (error) => this.stop(error));
    worker.on('exit', () => this.stop());
  }

  async query(sql: string, params: readonly unknown[] = [], options: QueryOptions = {}): Promise<QueryResult> {
    await this.#turn();
    return this.#query(sql, params, options);
  }

  /** Runs a script of several statements. */
  async exec(sql: string): Promise<void> {
    await this.#turn();
    await this.#ask({ kind: 'script', sql });
  }

  async transaction<T>(run: (session: StoreSession) => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>();
    const turn = this.#turn();
    this.#gate = ended.promise;
    const state = { open: true };
    try {
      await turn;
      await this.#ask({ kind: 'script', sql: 'begin' });
      const result = await this.#inTransaction.run(state, () =>
        run({ query: (sql, params = [], options = {}) => this.#query(sql, params, options) }),
      );
      await this.#ask({ kind: 'script', sql: 'commit' });
      return result;
    } catch (error) {
      if (!this.#end) await this.#ask({ kind: 'script', sql: 'rollback' });
      throw error;
    } finally {
      state.open = false;
      ended.resolve();
    }
  }

  /** Waits for what is under way, then closes the store and its thread. */
  async close(): Promise<void> {
    if (this.#end) return;
    await this.#gate;
    await Promise.allSettled([...this.#waiting.values()].map(({ promise }) => promise));
    await this.#ask({ kind: 'close' });
    this.stop();
  }

  /** Ends the thread at once, as a kill would; nothing acknowledged is lost. */
  stop(cause?: unknown): void {
    this.#end ??= new SortimentError('STORE_CLOSED', 'The store is closed.', { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
    void this.#worker.terminate();
  }

  /** Asked at once, so that the order of asking is the order of turns. */
  #turn(): Promise<void> {
    if (this.#inTransaction.getStore()?.open) {
      throw new SortimentError(
        'STORE_NESTED_QUERY',
        'A transaction asked the store around itself and would wait forever.',
        {
          hint: 'Use the `tx` that the transaction hands to its function, not the store.',
        },
      );
    }
    return this.#gate;
  }

  async #query(sql: string, params: readonly unknown[], options: QueryOptions): Promise<QueryResult> {
    const [result] = await this.#ask({ kind: 'query', sql, params });
    if (!result) return { rows: [], fields: [], affectedRows: 0 };
    return { ...result, rows: readRows(result, options) };
  }

  #ask(request: DistributiveOmit<StoreRequest, 'id'>): Promise<RawResult[]> {
    if (this.#end) return Promise.reject(this.#end);
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<RawResult[]>();
    this.#waiting.set(id, answer);
    // The process lives as long as something is asked of the store, not as long as the store is open.
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage({ ...request, id } satisfies StoreRequest);
    return answer.promise;
  }

  #resolve(reply: StoreReply): void {
    if (reply.kind !== 'done' && reply.kind !== 'refused') return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.kind === 'refused') return waiting?.reject(new StoreQueryError(reply.error));
    this.flushes = reply.flushes;
    waiting?.resolve(reply.results);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function readRows({ fields, rows }: RawResult, { rowMode, parsers = {} }: QueryOptions): Row[] {
  const readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID, parsers));
  const values = rows.map((row) => row.map((text, i) => (text === null ? null : readers[i]?.(text))));
  if (rowMode === 'array') return values;
  return values.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]])));
}

function readerOf(type: number, parsers: Parsers): (text: string) => unknown {
  const parse = parsers[type] ?? types.parsers[type];
  return parse ? (text) => parse(text, type) : (text) => text;
}

/** The query builder over the store's thread. Its driver asks for a PGlite, and uses `query` and `transaction` of it. */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
