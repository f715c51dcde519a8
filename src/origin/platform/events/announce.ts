import { randomBytes } from 'node:crypto';
import { sql, type Placeholder } from 'drizzle-orm';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { MAX_LISTED_EVENTS, ORIGIN_CHANGED, type OriginEvent, type OriginMessage } from './origin-event.ts';

/**
 * Records a change in the transaction of the write, so that a rollback is never announced.
 *
 * Call it once per write that clients can notice. A call creates one message, which lists at most 100 events and
 * counts the rest. Delivery is separate.
 */
export async function announce(transaction: Database, event: OriginEvent | readonly OriginEvent[]): Promise<void> {
  const events = [event].flat();
  if (events.length > 0) await messageStatement(transaction, { message: eventMessage(...events) });
}

/** Creates the message that `announce` records. */
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

/** Builds the insert, to be combined with other statements. */
export function insertMessage(db: Database, payload: Placeholder) {
  return db.insert(outbox).values({ kind: ORIGIN_CHANGED, payload });
}
