import { eq, getTableName, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '#origin/platform/store/query-errors.ts';

type Numbered = PgTable & { id: AnyPgColumn };

/** An ID near the end of the sequence would leave no room for new rows. */
const MAX_PRESERVED_ID = 2 ** 31 - 1;

/**
 * Returns the source's ID for the insert if it is free, so that addresses with IDs keep working. Otherwise the row gets
 * the next ID. Moves the table's sequence past the ID.
 */
export async function preserveId(tx: Transaction, table: Numbered, id: number): Promise<{ id?: number }> {
  if (id > MAX_PRESERVED_ID) return {};
  const existing = await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).limit(1);
  if (existing.length > 0) return {};
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, greatest(${id}::bigint, nextval(${sequence})))`);
  return { id };
}
