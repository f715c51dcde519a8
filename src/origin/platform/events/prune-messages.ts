import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { ORIGIN_CHANGED } from './origin-event.ts';

/** Longer than the retry schedule, and enough for a receiver that is set up a little later. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

/** Takes old messages away, sent or not. @returns how many of them had not been sent */
export async function pruneMessages(db: Database): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS).toISOString();
  const gone = await db
    .delete(outbox)
    .where(and(eq(outbox.kind, ORIGIN_CHANGED), lt(sql`${outbox.payload} ->> 'at'`, before)))
    .returning({ doneAt: outbox.doneAt });
  return gone.filter(({ doneAt }) => doneAt === null).length;
}
