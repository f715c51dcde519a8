import type { WireError } from './pglite-wire.ts';

/** Messages between the main thread and the store's worker. Buffers are transferred, not copied. */

export interface WorkerOptions {
  folder: string;
  /** True to flush commits to the disk. False only while the initial image is built. */
  durable: boolean;
}

/** Messages of the Postgres protocol, and maximum size of the response. */
export interface ProtocolRequest {
  messages: ArrayBuffer;
  maxBytes: number;
}

/** Protocol requests in order, or the request to close. */
export type StoreRequest = ProtocolRequest[] | 'close';

/** Replies in the order of requests. */
export type StoreReply =
  | { kind: 'open' }
  | { kind: 'failed'; error: WireError }
  /** `flushes`: total number of flushes to the disk. */
  | { kind: 'done'; answer: ArrayBuffer; flushes: number }
  /** PGlite itself failed. Postgres errors are part of the response. */
  | { kind: 'broken'; error: WireError };
