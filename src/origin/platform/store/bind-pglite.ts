import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { PgliteClient } from './pglite-client.ts';
import * as schema from './schema.ts';
import type { Database } from './store.ts';

/** The query builder over the store's thread. Its driver asks for a PGlite, and uses `query` and `transaction` of it. */
export function bindPglite(client: PgliteClient): Database {
  return drizzle({ client: client as unknown as PGlite, schema });
}
