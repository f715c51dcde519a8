import { eq, getTableName, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '#origin/platform/store/index.ts';

type Numbered = PgTable & { id: AnyPgColumn };

/** The sequence continues after the highest id, so an id near its end would leave no room for new rows. */
const MAX_KEPT_ID = 2 ** 31 - 1;

/**
 * Returns the source's id for the insert if it is still free, so that addresses with numbers keep working.
 * Otherwise returns nothing and the row gets the next id. Moves the table's sequence past the id.
 */
export async function keepId(tx: Transaction, table: Numbered, id: number): Promise<{ id?: number }> {
  if (id > MAX_KEPT_ID) return {};
  const taken = await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).limit(1);
  if (taken.length > 0) return {};
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, greatest(${id}::bigint, nextval(${sequence})))`);
  return { id };
}
