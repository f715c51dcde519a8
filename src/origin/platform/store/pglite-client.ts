import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite, QueryOptions, Results } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { SortimentError } from '#contracts/index.ts';
import * as schema from './schema.ts';
import { assertResultSize } from './store-limits.ts';
import type { Database } from './store.ts';
import { WriteCounter } from './write-counter.ts';

type RunStatement = (sql: string, params?: unknown[], options?: QueryOptions) => Promise<Results>;

/**
 * PGlite, with the two functions that Drizzle's driver calls.
 *
 * Limits the size of results and counts writes. Statements run in order; during a transaction, others wait for its end.
 */
export class PgliteClient {
  readonly #pglite: PGlite;
  readonly #inTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();
  readonly writes = new WriteCounter();
  #end: SortimentError | undefined;
  #isStopped = false;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  readonly query: RunStatement = async (sql, params, options) => {
    this.#assertUsable();
    const result = await runStatement(this.#pglite, sql, params, options);
    if (this.writes.isWrite(sql, result.affectedRows)) this.writes.add();
    return result;
  };

  async transaction<T>(run: (transaction: { query: RunStatement }) => Promise<T>): Promise<T> {
    this.#assertUsable();
    const state = { isOpen: true };
    let hasWritten = false;
    try {
      return await this.#pglite.transaction((transaction) => {
        const query: RunStatement = async (sql, params, options) => {
          if (this.#isStopped) throw createClosedError();
          const result = await runStatement(transaction, sql, params, options);
          hasWritten ||= this.writes.isWrite(sql, result.affectedRows);
          return result;
        };
        return this.#inTransaction.run(state, () => run({ query }));
      });
    } finally {
      state.isOpen = false;
      if (hasWritten) this.writes.add();
    }
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

  #assertUsable(): void {
    if (this.#end) throw this.#end;
    if (!this.#inTransaction.getStore()?.isOpen) return;
    throw new SortimentError(
      'STORE_NESTED_QUERY',
      'A statement inside a transaction bypassed it and would wait forever.',
      {
        hint: 'Use the `tx` argument of the transaction instead of the store.',
      },
    );
  }
}

function createClosedError(cause?: unknown): SortimentError {
  return new SortimentError('STORE_CLOSED', 'The store is closed.', { cause });
}

async function runStatement(
  connection: Pick<PGlite, 'query'>,
  sql: string,
  params: unknown[] = [],
  options?: QueryOptions,
): Promise<Results> {
  // PGlite miscounts the bytes of texts with lone surrogates, and would send a truncated message.
  const wellFormed = params.map((value) => (typeof value === 'string' ? value.toWellFormed() : value));
  const result: Results = await connection.query(sql, wellFormed, options);
  assertResultSize(result.rows);
  return result;
}

/** Creates the query builder for the embedded store. */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
