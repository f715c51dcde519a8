import { AsyncLocalStorage } from 'node:async_hooks';
import { types, type QueryOptions, type PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import { type WireAnswer, type WireField, readAnswer, WireWriter, type WireValue } from './pglite-wire.ts';
import { StoreQueryError } from './query-errors.ts';
import { maxResultBytes } from './store-limits.ts';
import * as schema from './schema.ts';
import { WriteCounter } from './write-counter.ts';
import type { Database } from './store.ts';
import { makePgArray } from 'drizzle-orm/pg-core';

/** More than are in use at a time. Each takes about ten kilobytes. */
const MAX_PREPARED = 200;

/** Longer statements write many rows and rarely repeat. The list for an editor has 15,000 characters. */
const MAX_LENGTH = 32_768;

/** Matches statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Matches tags of commands that don't change tables, so that prepared statements remain valid. */
const LEAVES_TABLES = /^(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|SAVEPOINT|RELEASE|SET)\b/;

/** `fields` is undefined until the first response was read. */
interface Prepared {
  name: string;
  fields?: WireField[];
}

interface Exchange {
  bytes: ArrayBuffer;
  /** Parses the response to `bytes`. */
  read: (answer: ArrayBuffer) => WireAnswer;
}

/**
 * Prepares statements on first use and runs them by name afterwards: Postgres parses and describes each once, and a
 * query takes one round trip.
 *
 * Encoded messages must be sent in this order over one connection.
 */
export class PreparedStatements {
  /** By SQL, least recently used first. */
  readonly #prepared = new Map<string, Prepared>();
  #unused: string[] = [];
  #names = 0;

  encode(sql: string, params: readonly unknown[]): Exchange {
    const existing = this.#prepared.get(sql);
    const values = params.map(toWire);
    if (existing?.fields) return this.#runAgain(sql, existing, values);
    // The first use may fail, so concurrent uses of the same SQL don't rely on its name.
    const statement = existing || sql.length > MAX_LENGTH || !PLANNED.test(sql) ? undefined : this.#name(sql);
    const name = statement?.name ?? '';
    const bytes = this.#writer().prepare(name, sql).run(name, values).finish();
    return {
      bytes,
      read: (answer) => {
        const read = this.#read(answer);
        if (statement && read.isPrepared && read.fields) statement.fields = read.fields;
        else if (statement) this.#evict(sql, statement);
        return read;
      },
    };
  }

  encodeScript(sql: string): Exchange {
    return { bytes: this.#writer().script(sql).finish(), read: (answer) => this.#read(answer) };
  }

  #runAgain(sql: string, statement: Prepared, values: readonly WireValue[]): Exchange {
    this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    return {
      bytes: this.#writer().run(statement.name, values).finish(),
      read: (answer) => Object.assign(this.#read(answer), { fields: statement.fields }),
    };
  }

  #name(sql: string): Prepared {
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size >= MAX_PREPARED) this.#evict(...oldest);
    this.#names += 1;
    const statement = { name: `s${this.#names}` };
    this.#prepared.set(sql, statement);
    return statement;
  }

  #read(response: ArrayBuffer): WireAnswer {
    const parsed = readAnswer(response);
    // After a change of tables, Postgres refuses prepared statements whose types have changed.
    if (!parsed.tags.every((tag) => LEAVES_TABLES.test(tag))) {
      for (const [sql, statement] of this.#prepared) this.#evict(sql, statement);
    }
    return parsed;
  }

  #evict(sql: string, statement: Prepared): void {
    if (this.#prepared.get(sql) === statement) this.#prepared.delete(sql);
    this.#unused.push(statement.name);
  }

  #writer(): WireWriter {
    const writer = new WireWriter();
    for (const name of this.#unused) writer.forget(name);
    this.#unused = [];
    return writer;
  }
}

/** Converts a parameter like `pg` does, except for dates, which are in UTC. */
function toWire(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return makePgArray(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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
  readonly writes = new WriteCounter();
  #gate: Promise<void> = Promise.resolve();

  constructor(connection: StoreConnection) {
    this.#connection = connection;
  }

  async query(sql: string, params: readonly unknown[] = [], options: QueryOptions = {}): Promise<QueryResult> {
    await this.#turn();
    return this.#query(sql, params, options, () => this.writes.add());
  }

  /** Runs a script of several statements. */
  async exec(sql: string): Promise<void> {
    await this.#turn();
    try {
      await this.#script(sql);
    } finally {
      // Some statements may have been committed.
      this.writes.add();
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
        if (isChanged) this.writes.add();
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
    if (this.writes.isWrite(sql, Number(tags.at(-1)?.split(' ').at(-1)))) onChange();
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
