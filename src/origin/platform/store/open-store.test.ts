import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPglite, openStore } from './open-store.ts';
import { option } from './schema.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataFolder = temporaryFolder();
let store: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => void (store = await openPglite(dataFolder)));
afterAll(() => store.close());

const nameCount = async (name: string) => (await store.db.select().from(option).where(eq(option.name, name))).length;

test('a new store is a copy of the initial image', async () => {
  const databases = await store.db.execute(sql`select datname from pg_database order by 1`);
  expect(databases).toMatchObject({ rows: [{ datname: 'postgres' }] });
  expect(readdirSync(dataFolder)).toEqual(['lock', 'store']);
});

test('what was written is there after closing and opening again', async () => {
  await store.db.insert(option).values({ name: 'site', value: { name: 'Ä' } });
  await store.close();
  expect(readdirSync(dataFolder)).toEqual(['store']);
  await expect(nameCount('site')).rejects.toMatchObject({ cause: { code: 'STORE_CLOSED' } });
  const started = performance.now();
  store = await openPglite(dataFolder);
  process.stdout.write(`    warm start of the store: ${Math.round(performance.now() - started)} ms\n`);
  expect(await nameCount('site')).toBe(1);
});

test('a second opener is refused, in this process and in another', async () => {
  await expect(openStore({ dataFolder })).rejects.toMatchObject({
    code: 'STORE_LOCKED',
    message: expect.stringContaining(`process ${process.pid}`),
    hint: expect.stringContaining('Stop that process'),
  });
  const program = new URL('./testing/open-and-wait.ts', import.meta.url).pathname;
  const other = spawn(process.execPath, [program, dataFolder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = await once(other.stdout, 'data');
  expect(String(said)).toContain(`STORE_LOCKED The store in ${dataFolder} is in use by process ${process.pid}.`);
});

test('each commit is flushed to the disk before it is acknowledged', async () => {
  const before = store.files.flushes;
  for (let i = 0; i < 20; i += 1) await store.db.insert(option).values({ name: `row-${i}`, value: i });
  expect(store.files.flushes - before).toBeGreaterThanOrEqual(20);
});

test('the store asked from within a transaction says so instead of waiting forever', async () => {
  const nested = store.db.transaction(async () => nameCount('site'));
  await expect(nested).rejects.toMatchObject({ cause: { code: 'STORE_NESTED_QUERY' } });
  expect(await nameCount('site')).toBe(1);
});

test('what is asked during a transaction waits for its end', async () => {
  const inTransaction = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const transaction = store.db.transaction(async (tx) => {
    await tx.insert(option).values({ name: 'first', value: [] });
    inTransaction.resolve();
    await mayEnd.promise;
    await tx.update(option).set({ value: ['whole'] });
  });
  await inTransaction.promise;
  const read = store.db.select().from(option).where(eq(option.name, 'first')).execute();
  const later = store.db.transaction((tx) => tx.delete(option).where(eq(option.name, 'first')));
  mayEnd.resolve();
  expect(await read).toEqual([{ name: 'first', value: ['whole'] }]);
  await Promise.all([transaction, later]);
  expect(await nameCount('first')).toBe(0);
});
