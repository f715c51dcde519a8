import { Client, type ClientConfig, type Connection, type Submittable } from 'pg';
import { WireWriter } from './pglite-wire.ts';

/** Prepared when the connection is opened, and run by its name ever after. */
const READ = {
  name: 'store_version',
  text: 'select coalesce(sum(version), 0)::float8 as version from store_version',
} as const;

const RUN = new Uint8Array(new WireWriter().run(READ.name, []).finish());

/**
 * A connection of its own that asks for nothing but the version of the store, in bytes that were written once, and reads
 * nothing but the number. Half of what a kept answer costs is this question: a pool's client takes twice as long.
 */
export class VersionConnection {
  readonly #config: ClientConfig;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** To be called one at a time. A connection that fails is replaced when it is called again. */
  async read(): Promise<number> {
    if (this.#isClosed) throw new Error('The store is closed.');
    const opened = (this.#client ??= this.#open());
    try {
      const client = await opened;
      return await new Promise<number>((resolve, reject) => client.query(new VersionQuery(resolve, reject)));
    } catch (error) {
      this.#drop(opened);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#client) this.#drop(this.#client);
  }

  async #open(): Promise<Client> {
    const client = new Client(this.#config);
    // The next question fails, and opens another.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(READ);
    return client;
  }

  #drop(opened: Promise<Client>): void {
    if (this.#client === opened) this.#client = undefined;
    opened.then((client) => client.end()).catch(() => undefined);
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
