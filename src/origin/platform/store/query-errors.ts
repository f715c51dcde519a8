import { setTimeout } from 'node:timers/promises';
import type { Database } from './store.ts';

/** Serialization failure and deadlock: retrying the transaction may succeed. Other errors are permanent. */
const RETRYABLE_STATES: ReadonlySet<string> = new Set(['40001', '40P01']);

const ATTEMPTS = 6;

const FIRST_PAUSE_MS = 20;

/**
 * Returns the SQLSTATE of an error, such as `23505` for a duplicate row, also from wrapped errors. Undefined if it
 * isn't a Postgres error.
 */
export function sqlState(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string' && /^[0-9A-Z]{5}$/.test(inner.code)) return inner.code;
  }
  return undefined;
}

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * Runs a transaction and retries it on conflicts. `run` may be called several times, so it must not have side effects
 * outside `tx`.
 */
export async function retryTransaction<T>(
  db: Pick<Database, 'transaction'>,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(run);
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRYABLE_STATES.has(sqlState(error) ?? '')) throw error;
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}
