import { AsyncLocalStorage } from 'node:async_hooks';
import { parse, protocol, type PGlite, type QueryOptions, type Results } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import * as schema from './schema.ts';
import { assertResultSize } from './store-limits.ts';
import { type Database, WriteCounter } from './store.ts';

const { serialize } = protocol;

/** Matches statements that change tables. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

type RunStatement = (sql: string, params?: unknown[], options?: QueryOptions) => Promise<Results>;

/**
 * PGlite, with the two functions that Drizzle's driver calls.
 *
 * Limits the size of results and counts writes. Statements run in order; during a transaction, others wait for its end.
 */
export class PgliteClient {
  readonly #pglite: PGlite;
  readonly #statements: PreparedStatements;
  readonly #inTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();
  readonly writes = new WriteCounter();
  #end: SortimentError | undefined;
  #isStopped = false;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.#statements = new PreparedStatements(pglite);
  }

  readonly query: RunStatement = async (sql, params, options) => {
    this.#assertUsable();
    const result = await this.#pglite._runExclusiveTransaction(() => this.#run(sql, params, options));
    if (this.writes.isWrite(sql, result.affectedRows)) this.writes.add();
    return result;
  };

  async transaction<T>(run: (transaction: { query: RunStatement }) => Promise<T>): Promise<T> {
    this.#assertUsable();
    const state = { isOpen: true };
    let hasWritten = false;
    try {
      const result = await this.#pglite.transaction(() => {
        const query: RunStatement = async (sql, params, options) => {
          if (this.#isStopped) throw createClosedError();
          const result = await this.#run(sql, params, options);
          hasWritten ||= this.writes.isWrite(sql, result.affectedRows);
          return result;
        };
        return this.#inTransaction.run(state, () => run({ query }));
      });
      if (hasWritten) this.writes.add();
      return result;
    } finally {
      state.isOpen = false;
    }
  }

  /** Writes everything to the files, then runs a function while no statement or transaction runs. */
  pause(run: () => Promise<void>): Promise<void> {
    this.#assertUsable();
    return this.#pglite._runExclusiveTransaction(async () => {
      await this.#run('checkpoint');
      await run();
    });
  }

  /** Rejects further statements, also those of open transactions: another process may have opened the folder. */
  stop(cause?: unknown): void {
    this.#end ??= createClosedError(cause);
    this.#isStopped = true;
  }

  /** Waits for the pending statements, then closes the store. */
  async close(): Promise<void> {
    if (this.#end) return;
    this.#end = createClosedError();
    await this.#pglite.query('select 1');
    await this.#pglite.close();
  }

  async #run(sql: string, params: unknown[] = [], options?: QueryOptions): Promise<Results> {
    const result = await this.#pglite.runExclusive(async () => {
      if (CHANGES_TABLES.test(sql)) await this.#statements.clear();
      return this.#statements.run(sql, params, options);
    });
    assertResultSize(result.rows);
    return result;
  }

  #assertUsable(): void {
    if (this.#end) throw this.#end;
    if (!this.#inTransaction.getStore()?.isOpen) return;
    throw new SortimentError(
      'STORE_NESTED_QUERY',
      'A statement inside a transaction bypassed it and would wait forever.',
      { hint: 'Use the `tx` argument of the transaction instead of the store.' },
    );
  }
}

function createClosedError(cause?: unknown): SortimentError {
  return new SortimentError('STORE_CLOSED', 'The store is closed.', { cause });
}

/** More than are in use at a time. Each takes about ten kilobytes. */
const MAX_PREPARED = 200;

/** Longer statements write many rows and rarely repeat. */
const MAX_LENGTH = 32_768;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

interface PreparedStatement {
  name: string;
  parameterTypes: number[];
  /** Description of its rows. */
  description: Messages;
}

/**
 * Prepares statements on first use and runs them by name, which takes a fifth of the time: PGlite's own `query` has
 * Postgres parse and plan them each time, in seven calls.
 */
class PreparedStatements {
  readonly #pglite: PGlite;
  readonly #statements = new Map<string, PreparedStatement>();
  #count = 0;
  #parsers: PGlite['parsers'] | undefined;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Call it while no other statement runs. */
  async run(sql: string, values: readonly unknown[], options?: QueryOptions): Promise<Results> {
    const statement = this.#statements.get(sql) ?? (await this.#prepare(sql));
    const { name: statementName, parameterTypes, description } = statement;
    const texts = values.map((value, n) => this.#serialize(value, parameterTypes[n]));
    const messages = await this.#send(
      serialize.bind({ statement: statementName, values: texts }),
      serialize.execute({}),
    );
    const parsers = this.#mergeParsers(options?.parsers);
    const [result] = parse.parseResults([...description, ...messages], parsers, {
      rowMode: options?.rowMode ?? 'object',
    });
    return result as Results;
  }

  /** Drizzle passes the same parsers with each statement. PGlite would merge them each time, which takes 0.2 ms. */
  #mergeParsers(parsers: QueryOptions['parsers']): PGlite['parsers'] {
    if (!parsers) return this.#pglite.parsers;
    this.#parsers ??= { ...this.#pglite.parsers, ...parsers };
    return this.#parsers;
  }

  /** Forgets all statements, as Postgres refuses those whose tables have changed. */
  async clear(): Promise<void> {
    this.#statements.clear();
    await this.#send(serialize.query('deallocate all'));
  }

  async #prepare(sql: string): Promise<PreparedStatement> {
    if (this.#statements.size >= MAX_PREPARED) await this.clear();
    this.#count += 1;
    const name = sql.length > MAX_LENGTH ? '' : `s${this.#count}`;
    const messages = await this.#send(serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name }));
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(messages),
      description: messages.filter((message) => message.name === 'rowDescription'),
    };
    if (name !== '') this.#statements.set(sql, statement);
    return statement;
  }

  #serialize(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null;
    // PGlite miscounts the bytes of texts with lone surrogates, and would send a truncated message.
    if (typeof value === 'string') return value.toWellFormed();
    return this.#pglite.serializers[type ?? 0]?.(value) ?? String(value);
  }

  async #send(...messages: Uint8Array[]): Promise<Messages> {
    const bytes = Buffer.concat([...messages, serialize.sync()]);
    return this.#pglite.execProtocolStream(bytes, { syncToFs: false });
  }
}

/** Creates the query builder for the embedded store. */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
