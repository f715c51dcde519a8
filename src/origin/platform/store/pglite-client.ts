import { AsyncLocalStorage } from 'node:async_hooks';
import { types, type QueryOptions, type PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import type { WireAnswer, WireField } from './pglite-wire.ts';
import { PreparedStatements, type Exchange } from './prepared-statements.ts';
import { StoreQueryError } from './query-errors.ts';
import { maxResultBytes } from './result-limit.ts';
import * as schema from './schema.ts';
import { LocalVersion } from './store-version.ts';
import type { Database } from './store.ts';

type Row = Record<string, unknown> | unknown[];

interface QueryResult {
  /** Arrays if requested by the options, else objects. */
  rows: Row[];
  fields: WireField[];
}

/** Interface that Drizzle's PGlite driver requires. */
export interface StoreSession {
  query(sql: string, params?: readonly unknown[], options?: QueryOptions): Promise<QueryResult>;
}

/** Connection to a PGlite in a worker thread, or in this thread in tests. */
export interface StoreConnection {
  /**
   * Sends messages of the Postgres protocol and returns the responses, in order.
   *
   * @param maxBytes maximum size of the response; more rows are replaced by an error
   */
  exchange(messages: ArrayBuffer, maxBytes: number): Promise<ArrayBuffer>;
  /** Closes the store after all responses. */
  close(): Promise<void>;
}

/**
 * Client of the embedded store for the query builder. Statements are sent immediately and run in order. During a
 * transaction, other statements wait for its end.
 */
export class PgliteClient implements StoreSession {
  readonly #connection: StoreConnection;
  readonly #statements = new PreparedStatements();
  readonly #inTransaction = new AsyncLocalStorage<{ open: boolean }>();
  readonly version = new LocalVersion();
  #gate: Promise<void> = Promise.resolve();

  constructor(connection: StoreConnection) {
    this.#connection = connection;
  }

  async query(sql: string, params: readonly unknown[] = [], options: QueryOptions = {}): Promise<QueryResult> {
    await this.#turn();
    return this.#query(sql, params, options, () => this.version.raise());
  }

  /** Runs a script of several statements. */
  async exec(sql: string): Promise<void> {
    await this.#turn();
    try {
      await this.#script(sql);
    } finally {
      // Some statements may have been committed.
      this.version.raise();
    }
  }

  async transaction<T>(run: (session: StoreSession) => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>();
    const turn = this.#turn();
    this.#gate = ended.promise;
    const state = { open: true };
    let isChanged = false;
    const onChange = () => {
      isChanged = true;
    };
    try {
      await turn;
      // Sent together with the first statement. If it fails, so does that statement.
      const begin = this.#script('begin');
      begin.catch(() => undefined);
      let last: Promise<unknown> = begin;
      const query: StoreSession['query'] = (sql, params = [], options = {}) => {
        const result = this.#query(sql, params, options, onChange);
        last = result;
        return result;
      };
      const result = await this.#inTransaction.run(state, () => run({ query }));
      await begin;
      try {
        await this.#script('commit');
      } finally {
        // The caller may not have awaited it.
        await last.catch(() => undefined);
        if (isChanged) this.version.raise();
      }
      return result;
    } catch (error) {
      // If the rollback fails too, the original error is more relevant.
      await this.#script('rollback').catch(() => undefined);
      throw error;
    } finally {
      state.open = false;
      ended.resolve();
    }
  }

  /** Waits for the current transaction, then closes the store. */
  async close(): Promise<void> {
    await this.#gate;
    await this.#connection.close();
  }

  /** Called synchronously, so that statements run in the order of calls. */
  #turn(): Promise<void> {
    if (this.#inTransaction.getStore()?.open) {
      throw new SortimentError(
        'STORE_NESTED_QUERY',
        'A statement inside a transaction bypassed it and would wait forever.',
        {
          hint: 'Use the `tx` argument of the transaction instead of the store.',
        },
      );
    }
    return this.#gate;
  }

  /** @param noteChange called if the statement changes data that responses contain */
  async #query(
    sql: string,
    params: readonly unknown[],
    options: QueryOptions,
    onChange: () => void,
  ): Promise<QueryResult> {
    const { fields = [], rows, tags } = await this.#send(this.#statements.encode(sql, params));
    if (this.version.isChangedBy(sql, tags)) onChange();
    return { fields, rows: readRows(fields, rows, options) };
  }

  async #script(sql: string): Promise<void> {
    await this.#send(this.#statements.encodeScript(sql));
  }

  async #send({ bytes, read }: Exchange): Promise<WireAnswer> {
    const response = read(await this.#connection.exchange(bytes, maxResultBytes()));
    if (response.error) throw new StoreQueryError(response.error);
    return response;
  }
}

function readRows(
  fields: readonly WireField[],
  rows: (string | null)[][],
  { rowMode, parsers = {} }: QueryOptions,
): Row[] {
  const readers = fields.map(({ dataTypeID }) => parsers[dataTypeID] ?? types.parsers[dataTypeID]);
  const readValue = (text: string | null, i: number): unknown => {
    const parse = readers[i];
    return text === null || !parse ? text : parse(text, fields[i]?.dataTypeID);
  };
  const values = rows.map((row) => row.map(readValue));
  if (rowMode === 'array') return values;
  return values.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]])));
}

/**
 * Creates the query builder for the embedded store. Its driver expects a PGlite, but uses `query` and `transaction`
 * only.
 */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
