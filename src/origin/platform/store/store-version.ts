import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Pool, type PoolClient, Client } from 'pg';
import { VersionConnection } from './version-connection.ts';
import { randomUUID } from 'node:crypto';

/** Version of the data that responses contain. */
export interface StoreVersion {
  /**
   * Returns a number that increases with every commit that changes data of responses. Includes all changes
   * acknowledged before the call.
   */
  read(): Promise<number>;
  /**
   * Excludes tables that no cached response contains, such as counters. Writing to them doesn't change the version.
   */
  disregard(tables: readonly string[]): void;
}

const READS = /^[\s(]*(?:select|savepoint|release|rollback|set|show)\b/i;
const WITH = /^\s*with\b(?:\s+recursive\b)?/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;
const WRITTEN_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;
const NOTHING_CHANGED = /^(?:INSERT 0|UPDATE|DELETE) 0$/;

/** Detects statements that change data of responses. */
class RelevantWrites {
  /** Responses to browser sessions aren't cached, and webhook messages aren't part of responses. */
  readonly #ignoredTables = new Set(['session', 'outbox', 'migration_lock', 'store_version']);

  disregard(tables: readonly string[]): void {
    for (const table of tables) this.#ignoredTables.add(table);
  }

  has(sql: string): boolean {
    if (READS.test(sql)) return false;
    if (WITH.test(sql)) return WRITES.test(sql);
    const [, table] = WRITTEN_TABLE.exec(sql) ?? [];
    return table === undefined || !this.#ignoredTables.has(table.toLowerCase());
  }
}

/** Version of a store with a single process, which counts its own commits. */
export class LocalVersion implements StoreVersion {
  readonly #writes = new RelevantWrites();
  #version = 0;

  read(): Promise<number> {
    return Promise.resolve(this.#version);
  }

  disregard(tables: readonly string[]): void {
    this.#writes.disregard(tables);
  }

  /** True if a statement has changed data of responses. @param tags command tags of Postgres */
  isChangedBy(sql: string, tags: readonly string[]): boolean {
    return this.#writes.has(sql) && (WITH.test(sql) || !tags.every((tag) => NOTHING_CHANGED.test(tag)));
  }

  /** Call it after a commit, before the change is acknowledged. */
  raise(): void {
    this.#version += 1;
  }
}

/** Number of rows whose sum is the version, so that concurrent commits rarely wait for each other. */
const SLOTS = 32;

/** Time in milliseconds for which a version that was read is reused. */
const VALID_MS = 1;

/**
 * Delay of acknowledgements after a commit. By then no process reuses an older version. The margin allows for clocks
 * of different speed, as each process measures its own time.
 */
const ACKNOWLEDGE_DELAY_MS = 1.5;

/** Matches claims of messages, which announce writes whose acknowledgement may still be delayed. */
const CLAIM = /^\s*update\s+"?outbox\b/i;

/**
 * Version of a store shared by several processes: the sum of a table that each writing transaction increments.
 *
 * The increment is the last statement before the commit, so the row is locked as briefly as possible. A single
 * statement includes its increment. Writes by other programs aren't detected.
 */
export class SharedVersion implements StoreVersion {
  readonly #writes = new RelevantWrites();
  readonly #connection: VersionConnection;
  readonly #readNext: () => Promise<number>;
  #last: Promise<number> = Promise.resolve(0);
  #validUntil = 0;
  #isStarted = false;

  /** Watches all future connections of a pool. */
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

  /** Call it after the migrations. */
  begin(): void {
    this.#isStarted = true;
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
    const rewrite = (sql: string): RewrittenStatement => {
      if (/^\s*begin\b/i.test(sql)) transaction = 'reading';
      else if (/^\s*(?:commit|rollback)\s*$/i.test(sql)) {
        const ended = /commit/i.test(sql) && this.#isStarted ? transaction : 'none';
        transaction = 'none';
        if (ended === 'writing') return { sql: `${raise}; commit`, isHeld: true };
        return { sql, isHeld: ended === 'claiming' };
      } else if (this.#writes.has(sql)) {
        if (transaction === 'none' && this.#isStarted) return { sql: withIncrement(sql), isHeld: true };
        if (transaction !== 'none') transaction = 'writing';
      } else if (CLAIM.test(sql)) {
        if (transaction === 'none') return { sql, isHeld: true };
        if (transaction === 'reading') transaction = 'claiming';
      }
      return { sql, isHeld: false };
    };
    const withIncrement = (sql: string): string => {
      if (WITH.test(sql)) return sql.replace(WITH, (beginning) => `${beginning} store_raise as (${raise}),`);
      return WRITTEN_TABLE.test(sql) ? `with store_raise as (${raise}) ${sql}` : sql;
    };
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const runQuery = (input: unknown, ...rest: unknown[]): unknown => {
      const text = typeof input === 'string' ? input : isConfig(input) ? input.text : undefined;
      if (text === undefined) return query(input, ...rest);
      const { sql, isHeld } = rewrite(text);
      const rewritten = isConfig(input) ? withText(input, sql) : sql;
      if (!isHeld) return query(rewritten, ...rest);
      const callback = rest.at(-1);
      if (typeof callback !== 'function') return Promise.resolve(query(rewritten, ...rest)).then(delayResult);
      const answer = (...answered: unknown[]) => void delayResult(answered).then(() => callback(...answered));
      return query(rewritten, ...rest.slice(0, -1), answer);
    };
    // `query` has a separate type for each signature.
    client.query = runQuery as typeof client.query;
  }
}

/** A rewritten statement. */
interface RewrittenStatement {
  sql: string;
  isHeld: boolean;
}

async function delayResult<T>(result: T): Promise<T> {
  const end = performance.now() + ACKNOWLEDGE_DELAY_MS;
  // A timer may fire up to a millisecond early.
  for (let remainingMs = ACKNOWLEDGE_DELAY_MS; remainingMs > 0; remainingMs = end - performance.now())
    await setTimeout(Math.ceil(remainingMs));
  return result;
}

function withText<T extends { text: string }>(config: T, text: string): T {
  return text === config.text ? config : { ...config, text };
}

function isConfig(input: unknown): input is { text: string } {
  return typeof input === 'object' && input !== null && 'text' in input && typeof input.text === 'string';
}

/**
 * Shares reads: calls during a read, or in the same turn of the event loop, share the next one, which begins after
 * them.
 */
export function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const start = () => {
    next = undefined;
    const result = read();
    running = result.catch(() => undefined);
    return result;
  };
  return () => (next ??= running.then(() => setImmediate()).then(start));
}

interface DatabaseCopy {
  /** `postgres://…` */
  address: string;
  /** Deletes the database. All connections must be closed. */
  drop(): Promise<void>;
}

/** Copies an unused database on its own server, so that each test begins with an empty store. */
export async function copyDatabase(template: string): Promise<DatabaseCopy> {
  const source = new URL(template).pathname.slice(1);
  const name = `copy_${randomUUID()}`;
  const at = (database: string) => Object.assign(new URL(template), { pathname: `/${database}` }).href;
  await runStatement(at('postgres'), `create database "${name}" template "${source}"`);
  return { address: at(name), drop: () => runStatement(at('postgres'), `drop database "${name}"`) };
}

/** Runs one statement on a PostgreSQL server over a new connection. */
export async function runStatement(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
