import type { WireError } from './pglite-wire.ts';

/** What travels between the main thread and the store's worker. Bytes are given away, not copied. */

export interface WorkerOptions {
  folder: string;
  /** Flush to the disk what is committed. Off only while the initial image is built. */
  durable: boolean;
}

/** Messages of Postgres' protocol, and how much may be answered. */
export interface StoreQuestion {
  messages: ArrayBuffer;
  maxBytes: number;
}

/** Questions to be answered one by one, or the wish to end. */
export type StoreRequest = StoreQuestion[] | 'close';

/** Answers come in the order of requests. */
export type StoreReply =
  | { kind: 'open' }
  | { kind: 'failed'; error: WireError }
  /** `flushes`: how often files were flushed to the disk by now. */
  | { kind: 'done'; answer: ArrayBuffer; flushes: number }
  /** Not one of Postgres' errors, which are in the answer: PGlite itself failed. */
  | { kind: 'broken'; error: WireError };
