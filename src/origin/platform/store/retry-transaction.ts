import { setTimeout } from 'node:timers/promises';
import { sqlState } from './sql-state.ts';
import type { Database } from './store.ts';

/** Serialization failure and deadlock: the same transaction, run again, can succeed. Nothing else heals by itself. */
const HEALING_STATES: ReadonlySet<string> = new Set(['40001', '40P01']);

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 20;

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Runs a transaction, again where the engine asks for it. `run` may be called several times: all it changes must be in `tx`. */
export async function retryTransaction<T>(db: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(run);
    } catch (error) {
      if (attempt === ATTEMPTS || !HEALING_STATES.has(sqlState(error) ?? '')) throw error;
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}
