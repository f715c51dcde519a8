import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { ORIGIN_CHANGED, type OriginMessage, MAX_LISTED_EVENTS, type OriginEvent } from './origin-event.ts';

export interface ClaimedMessage {
  /** ID of the outbox row. */
  row: number;
  message: OriginMessage;
  /** Attempts, including the current one. */
  attempts: number;
}

/** Longer than an attempt can take. If a process dies, another one takes over its message after that. */
const LEASE_MS = 60_000;
const MAX_ROWS = 500;
/** A retried row has a fixed ID and content, so it is sent on its own. */
const MAX_RETRIED = 10;

/**
 * Claims due messages, so that no other process sends them.
 *
 * Messages that were never sent are merged. Their content and ID are fixed in this transaction, so that every attempt
 * sends the same message.
 */
export async function claimMessages(db: Database): Promise<ClaimedMessage[]> {
  const due = and(eq(outbox.kind, ORIGIN_CHANGED), isNull(outbox.doneAt), lte(outbox.runAt, sql`now()`));
  // Usually nothing is due, which needs no transaction to find out.
  const [dueRow] = await db.select({ id: outbox.id }).from(outbox).where(due).limit(1);
  if (!dueRow) return [];
  return retryTransaction(db, async (tx) => {
    const rows = await tx
      .select({ id: outbox.id, payload: outbox.payload, attempts: outbox.attempts })
      .from(outbox)
      .where(due)
      .orderBy(asc(outbox.id))
      .limit(MAX_ROWS)
      .for('update', { skipLocked: true });
    const claims = rows
      .filter(({ attempts }) => attempts > 0)
      .slice(0, MAX_RETRIED)
      .map(({ id, payload, attempts }) => ({ row: id, message: toMessage(payload), attempts: attempts + 1 }));
    const [first, ...later] = rows.filter(({ attempts }) => attempts === 0);
    if (first) {
      const messages = later.map(({ payload }) => toMessage(payload));
      const message = combineMessages(toMessage(first.payload), messages);
      claims.push({ row: first.id, message, attempts: 1 });
      const merged = later.map(({ id }) => id);
      if (merged.length > 0) await tx.delete(outbox).where(inArray(outbox.id, merged));
    }
    for (const { row, message, attempts } of claims) {
      await tx
        .update(outbox)
        .set({ payload: { ...message }, attempts, runAt: nowPlusMs(LEASE_MS) })
        .where(eq(outbox.id, row));
    }
    return claims;
  });
}

/** Timestamp by the clock of the store, which all processes share. */
export const nowPlusMs = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** The payload was written by `announce`. */
const toMessage = (payload: Record<string, unknown>): OriginMessage => payload as unknown as OriginMessage;

/** Merges unsent messages, oldest first, under the ID of the first one. */
function combineMessages(first: OriginMessage, later: readonly OriginMessage[]): OriginMessage {
  const all = [first, ...later];
  const changes = new Map<string, OriginEvent>();
  for (const event of all.flatMap((message) => message.changes)) {
    const key = `${event.what}/${event.id}`;
    changes.set(key, combineEvents(changes.get(key), event));
  }
  const unlistedCount = all.reduce((sum, { count, changes: listed }) => sum + count - listed.length, 0);
  return {
    ...first,
    at: all.at(-1)?.at ?? first.at,
    changes: [...changes.values()].slice(0, MAX_LISTED_EVENTS),
    count: changes.size + unlistedCount,
  };
}

/** Merges two events of a record: created and then updated is still created for a receiver that hears of it once. */
function combineEvents(before: OriginEvent | undefined, event: OriginEvent): OriginEvent {
  return before?.action === 'created' && event.action === 'updated' ? { ...event, action: 'created' } : event;
}
