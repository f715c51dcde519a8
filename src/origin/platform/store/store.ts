import { sql, type Placeholder } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';
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

/** Maximum number of IDs in a statement. PostgreSQL accepts 65,535 parameters. */
const MAX_IDS = 2 ** 15;

/**
 * Runs a statement for a list of IDs, prepared once for each power of two. Postgres plans a list of known length once,
 * but an array each time.
 */
export async function runForIds<Row>(
  db: Database,
  name: string,
  ids: readonly number[],
  prepare: (ids: Placeholder[], name: string) => { execute(values: Record<string, unknown>): Promise<Row[]> },
): Promise<Row[]> {
  if (ids.length > MAX_IDS) {
    const rows = await runForIds(db, name, ids.slice(0, MAX_IDS), prepare);
    return rows.concat(await runForIds(db, name, ids.slice(MAX_IDS), prepare));
  }
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

const READS = /^[\s(]*(?:select|begin|commit|savepoint|release|rollback|set|show|listen|notify)\b/i;
const WITH = /^\s*with\b/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;
const WRITTEN_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;

/** Counts the committed writes of a store. What was read before the latest one is not used again. */
export class WriteCounter {
  /** Tables that no cached response contains: browser sessions and messages. */
  readonly #ignoredTables = new Set(['session', 'outbox', 'migration_lock']);
  #count = 0;
  #isComplete: boolean;
  /** Values loaded since the latest write. */
  readonly #loaded = new Map<string, Promise<unknown>>();

  /** @param isComplete false while writes of other processes may be missing */
  constructor(isComplete = true) {
    this.#isComplete = isComplete;
  }

  /** Number of writes that this process knows of. Undefined while it doesn't know those of other processes. */
  get count(): number | undefined {
    return this.#isComplete ? this.#count : undefined;
  }

  /** Call it after a commit, before the change is acknowledged. */
  add(): void {
    this.#count += 1;
    this.#loaded.clear();
  }

  /** Loads a value once between two writes. */
  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    if (!this.#isComplete) return load();
    const loaded = this.#loaded.get(key) as Promise<T> | undefined;
    if (loaded) return loaded;
    const loading = load();
    this.#loaded.set(key, loading);
    // A newer value may have replaced it.
    loading.catch(() => this.#loaded.get(key) === loading && this.#loaded.delete(key));
    return loading;
  }

  setComplete(isComplete: boolean): void {
    this.#isComplete = isComplete;
    this.add();
  }

  /** Excludes tables that no cached response contains, such as counters. */
  ignore(tables: readonly string[]): void {
    for (const table of tables) this.#ignoredTables.add(table);
  }

  /**
   * True if a statement has changed data of responses.
   *
   * @param rows number of rows that it has inserted, updated, deleted or returned
   */
  isWrite(sql: string, rows: number | null | undefined): boolean {
    if (READS.test(sql)) return false;
    if (WITH.test(sql)) return WRITES.test(sql);
    const [, table] = WRITTEN_TABLE.exec(sql) ?? [];
    return table === undefined || (rows !== 0 && !this.#ignoredTables.has(table.toLowerCase()));
  }
}
