import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { retryTransaction, type Database } from '#origin/platform/store/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { ORIGIN_CHANGED, type OriginMessage, MAX_LISTED_EVENTS, type OriginEvent } from './origin-event.ts';

export interface ClaimedMessage {
  /** Of the outbox row. */
  row: number;
  message: OriginMessage;
  /** Attempts that have begun, this one too. */
  attempts: number;
}

/** Longer than an attempt can take: whoever claimed a message and died is followed by somebody else after that. */
const LEASE_MS = 60_000;
const MAX_ROWS = 500;
/** A row that was tried before keeps its id and its content, so it travels alone. */
const MAX_RETRIED = 10;

/**
 * Takes what is due, so that no other process takes it too. What has never been sent becomes one message, whose
 * content and id are fixed in this transaction, so every attempt sends the same message.
 */
export async function claimMessages(db: Database): Promise<ClaimedMessage[]> {
  const due = and(eq(outbox.kind, ORIGIN_CHANGED), isNull(outbox.doneAt), lte(outbox.runAt, sql`now()`));
  // Mostly nothing is: that is found out without a transaction.
  const [some] = await db.select({ id: outbox.id }).from(outbox).where(due).limit(1);
  if (!some) return [];
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
        .set({ payload: { ...message }, attempts, runAt: inMs(LEASE_MS) })
        .where(eq(outbox.id, row));
    }
    return claims;
  });
}

/** By the store's clock, which all processes share. */
export const inMs = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** `announce` wrote it. */
const toMessage = (payload: Record<string, unknown>): OriginMessage => payload as unknown as OriginMessage;

/** Several messages that nobody has been sent yet, oldest first, as one under the id of the first. */
function combineMessages(first: OriginMessage, later: readonly OriginMessage[]): OriginMessage {
  const all = [first, ...later];
  const changes = new Map<string, OriginEvent>();
  for (const event of all.flatMap((message) => message.changes)) {
    const key = `${event.what}/${event.id}`;
    changes.set(key, combineEvents(changes.get(key), event));
  }
  const unlisted = all.reduce((sum, { count, changes: listed }) => sum + count - listed.length, 0);
  return {
    ...first,
    at: all.at(-1)?.at ?? first.at,
    changes: [...changes.values()].slice(0, MAX_LISTED_EVENTS),
    count: changes.size + unlisted,
  };
}

/** What was made and then changed was, to who hears of it once, made. */
function combineEvents(before: OriginEvent | undefined, event: OriginEvent): OriginEvent {
  return before?.action === 'created' && event.action === 'updated' ? { ...event, action: 'created' } : event;
}
