import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openStore } from './open-store.ts';
import { startTestPostgres } from './testing/start-test-postgres.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { VersionConnection } from './version-connection.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const postgres = await startTestPostgres();
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = (await postgres?.createDatabase('vanishing')) ?? '';
  if (postgres) await (await openStore({ dataFolder: temporaryFolder(), databaseUrl })).close();
});
afterAll(() => postgres?.stop());
afterEach(() => void vi.useRealTimers());

test.skipIf(!postgres).for(['before it was connected', 'after it has answered'] as const)(
  'a host that vanishes without a word %s is given up, and asked again over another connection',
  async (when) => {
    const host = new Host(databaseUrl);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connection = new VersionConnection({ connectionString: await host.start() });
    if (when === 'after it has answered') expect(await connection.read()).toEqual(expect.any(Number));

    host.isThere = false;
    const lost = once(host, 'lost');
    const reading = expect(connection.read()).rejects.toThrow('did not respond within 3 s');
    const [socket] = await lost;
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(3000);
    await reading;
    await closed;

    host.isThere = true;
    expect(await connection.read()).toEqual(expect.any(Number));
    expect(host.connections).toBe(2);
    connection.close();
    await host.close();
  },
);

/** Passes bytes on, to a database and back, as long as it is there; says `lost` of others, with whose they were. */
class Host extends EventEmitter<{ lost: [from: Socket] }> {
  isThere = true;
  connections = 0;
  readonly #server = createServer((client) => this.#accept(client));
  readonly #database: URL;

  constructor(databaseUrl: string) {
    super();
    this.#database = new URL(databaseUrl);
  }

  /** @returns the address of the database over this host */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.#database), { port }).href;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    this.connections += 1;
    const database = connect(Number(this.#database.port), this.#database.hostname);
    this.#pass(client, database);
    this.#pass(database, client);
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => void (this.isThere ? to.write(bytes) : this.emit('lost', from)));
    from.on('close', () => to.destroy());
    from.on('error', () => undefined);
  }
}
