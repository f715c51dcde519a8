import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';
import type { WriteCounter } from './write-counter.ts';
import type { LockedOrigin } from './acquire-lock.ts';

/** The query builder, the same for PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open store. Only the origin opens it; everything else uses HTTP. */
export interface Store {
  db: Database;
  /** `pglite` for the embedded store, `postgres` with DATABASE_URL. */
  engine: 'pglite' | 'postgres';
  /** Counts the writes that invalidate cached responses. */
  writes: WriteCounter;
  /** Copies the folder of the embedded store while no statement runs. */
  copyTo?: ((folder: string) => Promise<void>) | undefined;
  close(): Promise<void>;
}

export interface OpenStore extends Store {
  /** Publishes the address of the origin for other commands, until the store is closed. */
  announce(origin: LockedOrigin): void;
}
