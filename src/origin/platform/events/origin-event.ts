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
