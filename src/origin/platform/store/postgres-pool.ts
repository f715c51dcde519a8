import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import {
  Client,
  Pool,
  types as pgTypes,
  type CustomTypesConfig,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { sqlState } from './query-errors.ts';
import { boundParsers, isResultLimited } from './store-limits.ts';
import { WriteCounter } from './store.ts';

const CHANNEL = 'sortiment_writes';

const RECONNECT_MS = 1000;

/** SQLSTATE of a prepared statement whose columns have other types since. */
const PLAN_OUTDATED = '0A000';

/** Interval in which the listening connection is checked: its host may have vanished without closing it. */
export const PING_MS = 3000;

type RunStatement = (statement: QueryConfig, values?: unknown[]) => Promise<QueryResult>;

/**
 * Connections to PostgreSQL, with the two functions that Drizzle's driver calls.
 *
 * Limits the size of results, counts writes, and notifies other processes of them: a transaction with its commit, a
 * single statement right after it.
 */
export class StorePool {
  readonly #pool: Pool;
  readonly #config: PoolConfig;
  /** Incomplete until `listen`. */
  readonly writes = new WriteCounter(false);
  /** Marks notifications of this process, which has already counted its writes. */
  readonly #id = randomUUID();
  readonly #notify = `notify ${CHANNEL}, '${this.#id}'`;
  /** A channel that only this process listens to. A ping is no write, and must not empty the caches of the others. */
  readonly #pingChannel = `sortiment_ping_${this.#id.replaceAll('-', '')}`;
  readonly #ping = `notify ${this.#pingChannel}`;
  #isListening = false;
  #stopListening: () => void = () => undefined;

  constructor(config: PoolConfig) {
    this.#config = config;
    this.#pool = new Pool(config);
    // The pool replaces a broken idle connection. If that fails, the next query reports it.
    this.#pool.on('error', () => undefined);
    // While a transaction uses a connection, the pool doesn't handle its errors, and an unhandled one would end the
    // process. The failing statement reports it.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  readonly query: RunStatement = async (statement, values) => {
    // Poolers without notifications may change the connection of a prepared statement.
    const supported = this.writes.count === undefined ? unnamed(statement) : statement;
    const result = await run(this.#pool, supported, values).catch((error: unknown) => {
      // Another process has migrated a table of the prepared statement.
      if (statement.name === undefined || sqlState(error) !== PLAN_OUTDATED) throw error;
      return run(this.#pool, unnamed(statement), values);
    });
    if (!this.writes.isWrite(statement.text, result.rowCount)) return result;
    this.writes.add();
    // If it fails, the database is gone, and the other processes have lost their connections too.
    if (this.#isListening) await this.#pool.query(this.#notify).catch(() => undefined);
    return result;
  };

  async connect(): Promise<{ query: RunStatement; release: () => void }> {
    const client = await this.#pool.connect();
    let hasWritten = false;
    const send: RunStatement = async (statement, values) => {
      if (hasWritten && statement.text === 'commit') {
        hasWritten = false;
        try {
          return await client.query(this.#isListening ? `${this.#notify}; commit` : 'commit');
        } finally {
          // It may have succeeded even if its result was lost.
          this.writes.add();
        }
      }
      const result = await run(client, unnamed(statement), values);
      hasWritten ||= this.writes.isWrite(statement.text, result.rowCount);
      return result;
    };
    // `pg` sends one statement at a time.
    const queue = pLimit(1);
    return { query: (statement, values) => queue(send, statement, values), release: () => client.release() };
  }

  /** Listens to writes of other processes. Does nothing on engines without notifications. */
  async listen(): Promise<void> {
    this.#isListening = await this.#pool.query(this.#ping).then(
      () => true,
      () => false,
    );
    if (this.#isListening) this.#openListener();
  }

  async close(): Promise<void> {
    this.#isListening = false;
    this.#stopListening();
    await this.#pool.end();
  }

  /** The count of writes is complete as soon as a ping of this process arrives, and while others follow. */
  #openListener(): void {
    const client = new Client(this.#config);
    let isHeard = true;
    const stop = () => {
      if (this.#stopListening !== stop) return;
      this.#stopListening = () => undefined;
      clearInterval(pinging);
      this.writes.setComplete(false);
      client.end().catch(() => undefined);
      setTimeout(() => this.#isListening && this.#openListener(), RECONNECT_MS).unref();
    };
    const ping = () => {
      if (!isHeard) return stop();
      isHeard = false;
      // A silent host would otherwise occupy a connection per ping.
      const limited: QueryConfig & { query_timeout: number } = { text: this.#ping, query_timeout: PING_MS };
      this.#pool.query(limited).catch(stop);
    };
    const pinging = setInterval(ping, PING_MS).unref();
    this.#stopListening = stop;
    client.on('error', stop);
    client.on('end', stop);
    client.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL) {
        if (payload !== this.#id) this.writes.add();
        return;
      }
      isHeard = true;
      if (this.writes.count === undefined && this.#stopListening === stop) this.writes.setComplete(true);
    });
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}; listen ${this.#pingChannel}`))
      .then(ping, stop);
  }
}

/** A transaction can't repeat a statement whose plan is outdated, so its statements have no names. */
const unnamed = (statement: QueryConfig): QueryConfig => ({ ...statement, name: undefined });

/** Runs a statement, with a limited result if the caller has one. */
function run(connection: Pool | PoolClient, statement: QueryConfig, values?: unknown[]): Promise<QueryResult> {
  if (!isResultLimited()) return connection.query(statement, values);
  const bound = boundParsers();
  const { getTypeParser }: CustomTypesConfig = statement.types ?? pgTypes;
  const types: CustomTypesConfig = {
    getTypeParser: (type, format) => bound(getTypeParser(type, format) as (text: string) => unknown),
  };
  return connection.query({ ...statement, types }, values);
}
