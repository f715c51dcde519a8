import { randomBytes } from 'node:crypto';
import { sql, type Placeholder } from 'drizzle-orm';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { MAX_LISTED_EVENTS, ORIGIN_CHANGED, type OriginEvent, type OriginMessage } from './origin-event.ts';

/**
 * Records that something changed, in the transaction of the change, so that a rollback is never announced.
 * One call is one message, however many events it has; beyond the first 100 they are only counted. Call it once for
 * each write that readers of the interfaces can notice; nothing is sent here.
 */
export async function announce(transaction: Database, event: OriginEvent | readonly OriginEvent[]): Promise<void> {
  const events = [event].flat();
  if (events.length > 0) await messageStatement(transaction, { message: eventMessage(...events) });
}

/** The message that `announce` records. */
export function eventMessage(...events: readonly OriginEvent[]): OriginMessage {
  return {
    id: `msg_${randomBytes(16).toString('hex')}`,
    at: new Date().toISOString(),
    changes: events.slice(0, MAX_LISTED_EVENTS),
    count: events.length,
    delivered: [],
  };
}

const messageStatement = prepareOnce((db) => insertMessage(db, sql.placeholder('message')).prepare(''));

/** What records it, to be part of another statement. */
export function insertMessage(db: Database, payload: Placeholder) {
  return db.insert(outbox).values({ kind: ORIGIN_CHANGED, payload });
}
