import { randomBytes } from 'node:crypto';
import { outbox } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

/** A created, updated or deleted record. */
export interface OriginEvent {
  what: 'product' | 'language' | 'post' | 'page' | 'media' | 'category' | 'tag' | 'user' | (string & {});
  /** GTIN, language code or ID. */
  id: string;
  action: 'created' | 'updated' | 'deleted';
  /** Digest of the current record, unless it was deleted. */
  digest?: string;
}

/** Payload of an outbox row. */
export interface OriginMessage {
  /** `msg_…`, the same in every attempt. */
  id: string;
  /** Time of the write, ISO 8601. */
  at: string;
  /** At most `MAX_LISTED_EVENTS`, each record once. */
  changes: OriginEvent[];
  /** Number of events, listed or not. */
  count: number;
  /** Names of receivers that have received it. */
  delivered: string[];
}

/** `kind` of the outbox rows, and `type` of the webhook payload. */
export const ORIGIN_CHANGED = 'origin.changed';

export const MAX_LISTED_EVENTS = 100;

/**
 * Records a change in the transaction of the write, so that a rollback is never announced.
 *
 * Call it once per write that clients can notice. A call creates one message, which lists at most 100 events and
 * counts the rest. Delivery is separate.
 */
export async function announce(transaction: Database, event: OriginEvent | readonly OriginEvent[]): Promise<void> {
  const events = [event].flat();
  if (events.length === 0) return;
  const payload: OriginMessage = {
    id: `msg_${randomBytes(16).toString('hex')}`,
    at: new Date().toISOString(),
    changes: events.slice(0, MAX_LISTED_EVENTS),
    count: events.length,
    delivered: [],
  };
  await transaction.insert(outbox).values({ kind: ORIGIN_CHANGED, payload: { ...payload } });
}
