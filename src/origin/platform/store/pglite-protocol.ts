/** What travels between the main thread and the store's worker. Values go as Postgres' own texts. */

export interface WorkerOptions {
  folder: string;
  /** Flush to the disk what is committed. Off only while the initial image is built. */
  durable: boolean;
}

export type StoreRequest =
  | { id: number; kind: 'query'; sql: string; params: readonly unknown[] }
  | { id: number; kind: 'script'; sql: string }
  | { id: number; kind: 'flushes' }
  | { id: number; kind: 'close' };

export interface RawResult {
  fields: { name: string; dataTypeID: number }[];
  rows: (string | null)[][];
  affectedRows: number;
}

/** The fields of a Postgres error that the house reads. */
export interface RawError {
  message: string;
  code?: string | undefined;
  detail?: string | undefined;
  hint?: string | undefined;
  table?: string | undefined;
  column?: string | undefined;
  constraint?: string | undefined;
}

export type StoreReply =
  | { kind: 'open' }
  | { kind: 'failed'; error: RawError }
  | { kind: 'done'; id: number; results: RawResult[]; flushes: number }
  | { kind: 'refused'; id: number; error: RawError };
