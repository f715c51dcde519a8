import { sql } from 'drizzle-orm';
import { retryTransaction, sqlState, type Database, type Transaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';

const LOCK = 'content lock';
const EXISTS_ALREADY = '23505';
const ATTEMPTS = 3;

/**
 * Runs a write of content or terms in one transaction, alone among all such writes of all processes: what it reads
 * of slugs, parents and texts stays true until it is done. `run` may be called several times.
 */
export async function writeContent<T>(db: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryTransaction(db, async (tx) => {
        await holdLock(tx);
        return run(tx);
      });
    } catch (error) {
      // Something that writes without the lock was faster with a slug: the next try sees it.
      if (attempt === ATTEMPTS || sqlState(error) !== EXISTS_ALREADY) throw error;
    }
  }
}

/** A row that is written holds others up until the transaction ends, on every engine. */
async function holdLock(tx: Transaction): Promise<void> {
  await tx
    .insert(option)
    .values({ name: LOCK, value: {} })
    .onConflictDoUpdate({ target: option.name, set: { value: sql`excluded.value` } });
}
