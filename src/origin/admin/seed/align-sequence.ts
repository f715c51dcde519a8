import { getTableName, max, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '#origin/platform/store/query-errors.ts';

type Numbered = PgTable & { id: AnyPgColumn };

/**
 * Sets a table's sequence after its highest ID and returns the next ID. Sequences aren't rolled back, so a repeated
 * seed would otherwise number its rows differently.
 *
 * @param first lowest ID to assign
 */
export async function alignSequence(tx: Transaction, table: Numbered, first = 1): Promise<number> {
  const [row] = await tx.select({ last: max(table.id) }).from(table);
  const next = Math.max(Number(row?.last ?? 0) + 1, first);
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, ${next}, false)`);
  return next;
}
