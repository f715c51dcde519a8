import { Client, type ClientConfig, type Connection, type Submittable } from 'pg';
import { WireWriter } from './pglite-wire.ts';

/** Prepared when the connection is opened, and run by its name ever after. */
const READ = {
  name: 'store_version',
  text: 'select coalesce(sum(version), 0)::float8 as version from store_version',
} as const;

const RUN = new Uint8Array(new WireWriter().run(READ.name, []).finish());

/** A database that takes longer counts as gone: its host may have vanished without closing the connection. */
const TIMEOUT_MS = 3000;

interface OpenedConnection {
  client: Client;
  /** Fails where it can't be opened. */
  ready: Promise<unknown>;
}

/**
 * A connection of its own that asks for nothing but the version of the store, in bytes that were written once, and reads
 * nothing but the number. Half of what a kept answer costs is this question: a pool's client takes twice as long.
 */
export class VersionConnection {
  readonly #config: ClientConfig;
  /** One timer, restarted for each question: to set and clear one each time makes questions cost a fifth more. */
  readonly #limit = setTimeout(() => this.#endWaiting(), TIMEOUT_MS).unref();
  #opened: OpenedConnection | undefined;
  #refuse: (error: unknown) => void = () => undefined;
  #isClosed = false;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** To be called one at a time. A connection that fails, or is silent for too long, is replaced when it is called again. */
  async read(): Promise<number> {
    if (this.#isClosed) throw new Error('The store is closed.');
    const { client, ready } = (this.#opened ??= this.#open());
    this.#limit.refresh();
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#refuse = reject;
        ready.then(() => client.query(new VersionQuery(resolve, reject))).catch(reject);
      });
    } catch (error) {
      this.#drop(client);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#opened) this.#drop(this.#opened.client);
  }

  #open(): OpenedConnection {
    const client = new Client(this.#config);
    // The next question fails, and opens another.
    client.on('error', () => undefined);
    return { client, ready: client.connect().then(() => client.query(READ)) };
  }

  #drop(client: Client): void {
    if (this.#opened?.client === client) this.#opened = undefined;
    client.end().catch(() => undefined);
  }

  #endWaiting(): void {
    const refuse = this.#refuse;
    // What has arrived while this process was busy is read first.
    setImmediate(() => refuse(new Error(`The database has not answered within ${TIMEOUT_MS / 1000} s.`)));
  }
}

/** What a client of `pg` calls while a statement runs. */
class VersionQuery implements Submittable {
  readonly #resolve: (version: number) => void;
  readonly #reject: (error: unknown) => void;
  #version = 0;

  constructor(resolve: (version: number) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit({ stream }: Connection): void {
    stream.write(RUN);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#version = Number(fields[0]);
  }

  handleCommandComplete(): void {
    // Comes after the row and before the end.
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#version);
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}
