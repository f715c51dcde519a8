/** One thing that a write has made, changed or taken away. */
export interface OriginEvent {
  what: 'product' | 'language' | 'post' | 'page' | 'media' | 'category' | 'tag' | 'user' | (string & {});
  /** GTIN, language code, or id. */
  id: string;
  action: 'created' | 'updated' | 'deleted';
  /** Of the record as it is now, where there is one. */
  digest?: string;
}

/** What an outbox row of this kind holds: a message that is still to be sent, or was. */
export interface OriginMessage {
  /** `msg_…`: the same in every attempt. */
  id: string;
  /** When it was written, ISO. */
  at: string;
  /** At most `MAX_LISTED_EVENTS`; each thing once. */
  changes: OriginEvent[];
  /** How many there were, listed or not. */
  count: number;
  /** Receivers that have it already. */
  delivered: string[];
}

/** `kind` of the outbox rows, and `type` of what receivers get. */
export const ORIGIN_CHANGED = 'origin.changed';

export const MAX_LISTED_EVENTS = 100;
