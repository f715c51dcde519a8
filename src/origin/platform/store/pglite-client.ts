import { AsyncLocalStorage } from 'node:async_hooks';
import { types, type QueryOptions, type PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import type { WireAnswer, WireField } from './pglite-wire.ts';
import { PreparedStatements, type Exchange } from './prepared-statements.ts';
import { StoreQueryError } from './query-errors.ts';
import { maxResultBytes } from './result-limit.ts';
import * as schema from './schema.ts';
import { CountedVersion } from './store-version.ts';
import type { Database } from './store.ts';

type Row = Record<string, unknown> | unknown[];

interface QueryResult {
  /** Arrays where the options ask for these, else objects. */
  rows: Row[];
  fields: WireField[];
}

/** What drizzle's PGlite driver asks of a client. */
export interface StoreSession {
  query(sql: string, params?: readonly unknown[], options?: QueryOptions): Promise<QueryResult>;
}

/** Where a PGlite is: in a thread of its own, or in tests in this one. */
export interface StoreConnection {
  /**
   * Answers messages of Postgres' protocol in the order in which they are sent.
   *
   * @param maxBytes of what is answered; an error replaces the rows of more
   */
  exchange(messages: ArrayBuffer, maxBytes: number): Promise<ArrayBuffer>;
  /** Closes the store when all was answered. */
  close(): Promise<void>;
}

/**
 * The query builder's side of the embedded store. Statements go out as they come and are answered in order; a
 * transaction keeps everything that is asked after it waiting until it has ended.
 */
export class PgliteClient implements StoreSession {
  readonly #connection: StoreConnection;
  readonly #statements = new PreparedStatements();
  readonly #inTransaction = new AsyncLocalStorage<{ open: boolean }>();
  readonly version = new CountedVersion();
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
      // Some of its statements may have been committed.
      this.version.raise();
    }
  }

  async transaction<T>(run: (session: StoreSession) => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>();
    const turn = this.#turn();
    this.#gate = ended.promise;
    const state = { open: true };
    let isChanged = false;
    const noteChange = () => {
      isChanged = true;
    };
    try {
      await turn;
      // Sent with the first statement: where it fails, the store is closed or lost, and the statement fails too.
      const begun = this.#script('begin');
      begun.catch(() => undefined);
      let last: Promise<unknown> = begun;
      const query: StoreSession['query'] = (sql, params = [], options = {}) => {
        const answered = this.#query(sql, params, options, noteChange);
        last = answered;
        return answered;
      };
      const result = await this.#inTransaction.run(state, () => run({ query }));
      await begun;
      try {
        await this.#script('commit');
      } finally {
        // It may not have been waited for.
        await last.catch(() => undefined);
        if (isChanged) this.version.raise();
      }
      return result;
    } catch (error) {
      // Where this fails too, the store is closed or lost; why it came to that is what counts.
      await this.#script('rollback').catch(() => undefined);
      throw error;
    } finally {
      state.open = false;
      ended.resolve();
    }
  }

  /** Waits for what is under way, then closes the store. */
  async close(): Promise<void> {
    await this.#gate;
    await this.#connection.close();
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

  /** @param noteChange called where the statement has changed what answers show */
  async #query(
    sql: string,
    params: readonly unknown[],
    options: QueryOptions,
    noteChange: () => void,
  ): Promise<QueryResult> {
    const { fields = [], rows, tags } = await this.#ask(this.#statements.encode(sql, params));
    if (this.version.isChangedBy(sql, tags)) noteChange();
    return { fields, rows: readRows(fields, rows, options) };
  }

  async #script(sql: string): Promise<void> {
    await this.#ask(this.#statements.encodeScript(sql));
  }

  async #ask({ bytes, read }: Exchange): Promise<WireAnswer> {
    const answer = read(await this.#connection.exchange(bytes, maxResultBytes()));
    if (answer.error) throw new StoreQueryError(answer.error);
    return answer;
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

/** The query builder over the embedded store. Its driver asks for a PGlite, and uses `query` and `transaction` of it. */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
