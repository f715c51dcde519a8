import type { Transaction } from './query-errors.ts';
import { eq, sql } from 'drizzle-orm';
import { option } from './schema.ts';
import { prepareOnce, type Database } from './store.ts';

/** Loads the value of an option. Returns `{}` if nothing is stored. */
export async function readOption(db: Pick<Database, 'select'>, name: string): Promise<unknown> {
  const statement = prepareOnce(db, 'option', (statementName) =>
    db
      .select()
      .from(option)
      .where(eq(option.name, sql.placeholder('name')))
      .prepare(statementName),
  );
  const [stored] = await statement.execute({ name });
  return stored?.value ?? {};
}

/**
 * Loads the value of an option and locks it against other writes. Returns `{}` if nothing is stored. Change it with
 * `storeOption`.
 */
export async function lockOption(tx: Transaction, name: string): Promise<unknown> {
  const lock = () => tx.select().from(option).where(eq(option.name, name)).for('update');
  const [row] = await lock();
  if (row) return row.value;
  // Concurrent first writes need an existing row to lock.
  await tx.insert(option).values({ name, value: {} }).onConflictDoNothing();
  const [added] = await lock();
  return added?.value ?? {};
}

/** Stores the value of an option locked by this transaction. */
export async function storeOption(tx: Transaction, name: string, value: unknown): Promise<void> {
  await tx.update(option).set({ value }).where(eq(option.name, name));
}
