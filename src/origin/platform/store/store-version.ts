import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/** Tells whether what answers show may have changed. */
export interface StoreVersion {
  /**
   * Is another number, and a greater one, after any transaction was committed that changed what answers show. Of
   * changes that were acknowledged before it is asked, it knows all.
   */
  read(): Promise<number>;
  /** Names tables that no kept answer shows, such as those of counters: writing to them changes nothing. */
  disregard(tables: readonly string[]): void;
}

const READS = /^[\s(]*(?:select|savepoint|release|rollback|set|show)\b/i;
const WITH = /^\s*with\b(?:\s+recursive\b)?/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;
const WRITTEN_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;
const NOTHING_CHANGED = /^(?:INSERT 0|UPDATE|DELETE) 0$/;

/** Tells statements that change what answers show from all others. */
class SeenWrites {
  /** Answers to browser sessions aren't kept, and messages to receivers aren't shown. */
  readonly #unseen = new Set(['session', 'outbox', 'migration_lock', 'store_version']);

  disregard(tables: readonly string[]): void {
    for (const table of tables) this.#unseen.add(table);
  }

  has(sql: string): boolean {
    if (READS.test(sql)) return false;
    if (WITH.test(sql)) return WRITES.test(sql);
    const [, table] = WRITTEN_TABLE.exec(sql) ?? [];
    return table === undefined || !this.#unseen.has(table.toLowerCase());
  }
}

/** The version of a store that one process has for itself: it counts what it commits. */
export class CountedVersion implements StoreVersion {
  readonly #writes = new SeenWrites();
  #version = 0;

  read(): Promise<number> {
    return Promise.resolve(this.#version);
  }

  disregard(tables: readonly string[]): void {
    this.#writes.disregard(tables);
  }

  /** Whether a statement has changed what answers show. @param tags what was done, as Postgres says it */
  isChangedBy(sql: string, tags: readonly string[]): boolean {
    return this.#writes.has(sql) && (WITH.test(sql) || !tags.every((tag) => NOTHING_CHANGED.test(tag)));
  }

  /** To be called after a change was committed, and before anybody is told of it. */
  raise(): void {
    this.#version += 1;
  }
}

/** As many rows make up the version, so that transactions that end at the same time seldom wait for each other. */
const SLOTS = 32;

const READ = {
  name: 'store_version',
  text: 'select coalesce(sum(version), 0)::float8 as version from store_version',
} as const;

/**
 * The version of a store that several processes share: the sum of a table that each writing transaction adds to. This
 * is the last it does before it commits, so a row is locked no longer than a commit takes. A single statement raises
 * it by itself. What writes without this, such as another program, isn't seen.
 */
export class SharedVersion implements StoreVersion {
  readonly #writes = new SeenWrites();
  readonly read: () => Promise<number>;
  #isThere = false;

  /** Watches all connections of a pool that were not opened yet. */
  constructor(pool: Pool) {
    this.read = shareNext(async () => {
      const { rows } = await pool.query<{ version: number }>(READ);
      return rows[0]?.version ?? 0;
    });
    pool.on('connect', (client) => this.#watch(client));
  }

  disregard(tables: readonly string[]): void {
    this.#writes.disregard(tables);
  }

  /** To be called when the table is there. */
  begin(): void {
    this.#isThere = true;
  }

  #watch(client: PoolClient): void {
    const raise =
      `insert into store_version as v (slot, version) values (${Math.floor(Math.random() * SLOTS)}, 1)` +
      ' on conflict (slot) do update set version = v.version + 1';
    let transaction: 'none' | 'reading' | 'writing' = 'none';
    const watched = (sql: string): string => {
      if (/^\s*begin\b/i.test(sql)) transaction = 'reading';
      else if (/^\s*(?:commit|rollback)\s*$/i.test(sql)) {
        const isWritten = transaction === 'writing' && /commit/i.test(sql);
        transaction = 'none';
        return isWritten && this.#isThere ? `${raise}; commit` : sql;
      } else if (this.#writes.has(sql)) {
        if (transaction === 'none' && this.#isThere) return alone(sql);
        if (transaction === 'reading') transaction = 'writing';
      }
      return sql;
    };
    const alone = (sql: string): string => {
      if (WITH.test(sql)) return sql.replace(WITH, (beginning) => `${beginning} store_raise as (${raise}),`);
      return WRITTEN_TABLE.test(sql) ? `with store_raise as (${raise}) ${sql}` : sql;
    };
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // `query` has a type for each way to call it.
    client.query = ((asked: unknown, ...rest: unknown[]) =>
      query(
        typeof asked === 'string' ? watched(asked) : isConfig(asked) ? withText(asked, watched(asked.text)) : asked,
        ...rest,
      )) as typeof client.query;
  }
}

function withText<T extends { text: string }>(asked: T, text: string): T {
  return text === asked.text ? asked : { ...asked, text };
}

function isConfig(asked: unknown): asked is { text: string } {
  return typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string';
}

/**
 * Requests that arrive while it is read, or in the same turn of the event loop, share the next read, which begins after
 * they arrived.
 */
export function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = () => {
    next = undefined;
    const reading = read();
    running = reading.catch(() => undefined);
    return reading;
  };
  return () => (next ??= running.then(() => setImmediate()).then(begin));
}
