import { eq, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '#origin/platform/store/index.ts';
import type { comment, content, term, user } from '#origin/platform/store/schema.ts';

type Numbered = typeof comment | typeof content | typeof term | typeof user;

/** The counter goes on from the highest id: behind one that is near the end of all numbers nothing could be added. */
const MAX_KEPT_ID = 2 ** 31 - 1;

/**
 * The id that a record had elsewhere, to be inserted with, if nothing here has it: addresses by number stay true.
 * Else nothing, and the row gets the next one. The table's counter goes on behind it.
 */
export async function keepId(tx: Transaction, table: Numbered, id: number): Promise<{ id?: number }> {
  if (id > MAX_KEPT_ID) return {};
  const taken = await tx
    .select({ id: table.id })
    .from(table as PgTable)
    .where(eq(table.id, id))
    .limit(1);
  if (taken.length > 0) return {};
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, greatest(${id}::bigint, nextval(${sequence})))`);
  return { id };
}
