import { sql, type Placeholder } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';
import type { WriteCounter } from './write-counter.ts';
import type { LockedOrigin } from './acquire-lock.ts';

/** The query builder, the same for PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

const prepared = new WeakMap<object, Map<string, unknown>>();

/**
 * Prepares a statement once per store. Building it takes Drizzle longer than running it.
 *
 * @param name identifies the statement, also in PostgreSQL. Varying values are placeholders
 */
export function prepareOnce<S>(db: object, name: string, prepare: (name: string) => S): S {
  const statements = prepared.get(db) ?? new Map<string, unknown>();
  if (statements.size === 0) prepared.set(db, statements);
  if (!statements.has(name)) statements.set(name, prepare(name));
  return statements.get(name) as S;
}

/**
 * Runs a statement for a list of IDs, prepared once for each power of two. Postgres plans a list of known length once,
 * but an array each time.
 */
export function runForIds<Row>(
  db: Database,
  name: string,
  ids: readonly number[],
  prepare: (ids: Placeholder[], name: string) => { execute(values: Record<string, unknown>): Promise<Row[]> },
): Promise<Row[]> {
  const names = Array.from({ length: 2 ** Math.ceil(Math.log2(ids.length)) }, (_, n) => `id${n}`);
  const placeholders = names.map((id) => sql.placeholder(id));
  const statement = prepareOnce(db, `${name} ${names.length}`, (fullName) => prepare(placeholders, fullName));
  return statement.execute(Object.fromEntries(names.map((id, n) => [id, ids[n] ?? ids[0]])));
}

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
