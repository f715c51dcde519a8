import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { VersionConnection } from './version-connection.ts';

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

/** For so long after it was asked for, the version counts without being asked for again. */
const VALID_MS = 1;

/**
 * Whoever writes is answered so long after the commit: by then no process takes the version from before it for the
 * present one any more. The difference is for clocks that differ in speed, each of which measures a time of its own.
 */
const HELD_MS = 1.5;

/** Claims of messages, which tell receivers of writes whose own answer may still be held. */
const CLAIM = /^\s*update\s+"?outbox\b/i;

/**
 * The version of a store that several processes share: the sum of a table that each writing transaction adds to. This
 * is the last it does before it commits, so a row is locked no longer than a commit takes. A single statement raises
 * it by itself. What writes without this, such as another program, isn't seen.
 */
export class SharedVersion implements StoreVersion {
  readonly #writes = new SeenWrites();
  readonly #connection: VersionConnection;
  readonly #readNext: () => Promise<number>;
  #last: Promise<number> = Promise.resolve(0);
  #validUntil = 0;
  #isThere = false;

  /** Watches all connections of a pool that were not opened yet. */
  constructor(pool: Pool) {
    this.#connection = new VersionConnection({ ...pool.options, pipeline: false });
    this.#readNext = shareNext(() => {
      this.#validUntil = performance.now() + VALID_MS;
      this.#last = this.#connection.read();
      return this.#last;
    });
    pool.on('connect', (client) => this.#watch(client));
  }

  read(): Promise<number> {
    return performance.now() < this.#validUntil ? this.#last : this.#readNext();
  }

  disregard(tables: readonly string[]): void {
    this.#writes.disregard(tables);
  }

  /** To be called when the table is there. */
  begin(): void {
    this.#isThere = true;
  }

  close(): void {
    this.#validUntil = 0;
    this.#connection.close();
  }

  #watch(client: PoolClient): void {
    const raise =
      `insert into store_version as v (slot, version) values (${Math.floor(Math.random() * SLOTS)}, 1)` +
      ' on conflict (slot) do update set version = v.version + 1';
    let transaction: 'none' | 'reading' | 'claiming' | 'writing' = 'none';
    const watched = (sql: string): Watched => {
      if (/^\s*begin\b/i.test(sql)) transaction = 'reading';
      else if (/^\s*(?:commit|rollback)\s*$/i.test(sql)) {
        const ended = /commit/i.test(sql) && this.#isThere ? transaction : 'none';
        transaction = 'none';
        if (ended === 'writing') return { sql: `${raise}; commit`, isHeld: true };
        return { sql, isHeld: ended === 'claiming' };
      } else if (this.#writes.has(sql)) {
        if (transaction === 'none' && this.#isThere) return { sql: alone(sql), isHeld: true };
        if (transaction !== 'none') transaction = 'writing';
      } else if (CLAIM.test(sql)) {
        if (transaction === 'none') return { sql, isHeld: true };
        if (transaction === 'reading') transaction = 'claiming';
      }
      return { sql, isHeld: false };
    };
    const alone = (sql: string): string => {
      if (WITH.test(sql)) return sql.replace(WITH, (beginning) => `${beginning} store_raise as (${raise}),`);
      return WRITTEN_TABLE.test(sql) ? `with store_raise as (${raise}) ${sql}` : sql;
    };
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const ask = (asked: unknown, ...rest: unknown[]): unknown => {
      const text = typeof asked === 'string' ? asked : isConfig(asked) ? asked.text : undefined;
      if (text === undefined) return query(asked, ...rest);
      const { sql, isHeld } = watched(text);
      const sent = isConfig(asked) ? withText(asked, sql) : sql;
      if (!isHeld) return query(sent, ...rest);
      const callback = rest.at(-1);
      if (typeof callback !== 'function') return Promise.resolve(query(sent, ...rest)).then(hold);
      const answer = (...answered: unknown[]) => void hold(answered).then(() => callback(...answered));
      return query(sent, ...rest.slice(0, -1), answer);
    };
    // `query` has a type for each way to call it.
    client.query = ask as typeof client.query;
  }
}

/** What is sent instead of a statement. */
interface Watched {
  sql: string;
  isHeld: boolean;
}

async function hold<T>(answered: T): Promise<T> {
  const end = performance.now() + HELD_MS;
  // A timer may end early by up to a millisecond.
  for (let left = HELD_MS; left > 0; left = end - performance.now()) await setTimeout(Math.ceil(left));
  return answered;
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
