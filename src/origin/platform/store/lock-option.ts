import { eq } from 'drizzle-orm';
import type { Transaction } from './query-errors.ts';
import { option } from './schema.ts';

/** The value of an option, locked against other writes; `{}` where nothing was stored yet. `storeOption` changes it. */
export async function lockOption(tx: Transaction, name: string): Promise<unknown> {
  const lock = () => tx.select().from(option).where(eq(option.name, name)).for('update');
  const [row] = await lock();
  if (row) return row.value;
  // Two first writes wait for each other only when there is a row to lock.
  await tx.insert(option).values({ name, value: {} }).onConflictDoNothing();
  const [added] = await lock();
  return added?.value ?? {};
}

/** Stores the value of an option that this transaction has locked. */
export async function storeOption(tx: Transaction, name: string, value: unknown): Promise<void> {
  await tx.update(option).set({ value }).where(eq(option.name, name));
}
