import { randomBytes } from 'node:crypto';
import { outbox } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { MAX_LISTED_EVENTS, ORIGIN_CHANGED, type OriginEvent, type OriginMessage } from './origin-event.ts';

/**
 * Records that something changed, in the transaction of the change, so that a rollback is never announced.
 * One call is one message, however many events it has; beyond the first 100 they are only counted. Call it once for
 * each write that readers of the interfaces can notice; nothing is sent here.
 */
export async function announce(
  transaction: Pick<Database, 'insert'>,
  event: OriginEvent | readonly OriginEvent[],
): Promise<void> {
  const events = [event].flat();
  if (events.length === 0) return;
  const message: OriginMessage = {
    id: `msg_${randomBytes(16).toString('hex')}`,
    at: new Date().toISOString(),
    changes: events.slice(0, MAX_LISTED_EVENTS),
    count: events.length,
    delivered: [],
  };
  await transaction.insert(outbox).values({ kind: ORIGIN_CHANGED, payload: { ...message } });
}
