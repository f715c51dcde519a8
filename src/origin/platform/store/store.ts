import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';
import type { StoreVersion } from './store-version.ts';
import type { LockedOrigin } from './take-lock.ts';

/** The query builder, the same over PGlite and over PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open store. Only the origin opens one; everything else speaks HTTP to it. */
export interface Store {
  db: Database;
  /** `pglite` for the embedded store, `postgres` behind DATABASE_URL. */
  engine: 'pglite' | 'postgres';
  /** Tells whether answers that were made before are still right. */
  version: StoreVersion;
  close(): Promise<void>;
}

export interface OpenStore extends Store {
  /** Lets other commands find the origin that this process serves, until the store is closed. */
  announce(origin: LockedOrigin): void;
}
