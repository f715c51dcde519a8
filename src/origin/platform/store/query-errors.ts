import { setTimeout } from 'node:timers/promises';
import type { WireError } from './pglite-wire.ts';
import type { Database } from './store.ts';
import { RESULT_TOO_LARGE, VALUE_TOO_LARGE } from './store-limits.ts';

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

/** The limit that a statement exceeded: of what it returns, or of a value that it writes. */
export function exceededLimit(error: unknown): 'result' | 'value' | undefined {
  const state = sqlState(error);
  if (state === RESULT_TOO_LARGE) return 'result';
  return state === VALUE_TOO_LARGE ? 'value' : undefined;
}

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * Takes what waits for the last statements of a transaction, whatever they are answered: the commit is sent after them,
 * which spares a round to the store. Where one of them fails, nothing is committed and the transaction fails with it.
 */
export type SendLast = (answered: Promise<unknown>) => void;

/** Runs a transaction, again where the engine asks for it. `run` may be called several times: all it changes must be in `tx`. */
export async function retryTransaction<T>(
  db: Pick<Database, 'transaction'>,
  run: (tx: Transaction, last: SendLast) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(db, run);
    } catch (error) {
      if (attempt === ATTEMPTS || !HEALING_STATES.has(sqlState(error) ?? '')) throw error;
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

async function runTransaction<T>(
  db: Pick<Database, 'transaction'>,
  run: (tx: Transaction, last: SendLast) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  const last: SendLast = (answered) => {
    sent.push(answered.catch((error: unknown) => failures.push(error)));
  };
  const refuse = () => {
    // Later ones fail as an earlier one did.
    if (failures.length > 0) throw failures[0];
  };
  try {
    return await db.transaction(async (tx) => {
      const result = await run(tx, last);
      if (sent.length === 0) return result;
      // The store knows nothing of what could not be sent, and would commit the rest. That has failed by the next tick.
      await new Promise(process.nextTick);
      refuse();
      return result;
    });
  } finally {
    await Promise.all(sent);
    refuse();
  }
}
