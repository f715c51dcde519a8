import { setTimeout } from 'node:timers/promises';
import type { WireError } from './pglite-wire.ts';
import type { Database } from './store.ts';

/** Serialization failure and deadlock: the same transaction, run again, can succeed. Nothing else heals by itself. */
const HEALING_STATES: ReadonlySet<string> = new Set(['40001', '40P01']);

const ATTEMPTS = 6;

const FIRST_PAUSE_MS = 20;

/** A statement that Postgres refused, in the embedded store. `code` is the SQLSTATE, as with `pg`. */
export class StoreQueryError extends Error {
  override readonly name = 'StoreQueryError';
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;

  constructor(error: WireError) {
    super(error.message);
    this.code = error.code;
    this.detail = error.detail;
    this.table = error.table;
    this.column = error.column;
    this.constraint = error.constraint;
  }
}

/**
 * The SQLSTATE of an error from the store, such as `23505` for a row that exists already; looks through the
 * wrappers that the query builder puts around it. `undefined` if the error isn't Postgres' own.
 */
export function sqlState(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string' && /^[0-9A-Z]{5}$/.test(inner.code)) return inner.code;
  }
  return undefined;
}

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Runs a transaction, again where the engine asks for it. `run` may be called several times: all it changes must be in `tx`. */
export async function retryTransaction<T>(
  db: Pick<Database, 'transaction'>,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(run);
    } catch (error) {
      if (attempt === ATTEMPTS || !HEALING_STATES.has(sqlState(error) ?? '')) throw error;
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}
