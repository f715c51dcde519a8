import { PGlite } from '@electric-sql/pglite';
import { beforeAll, expect, test, vi } from 'vitest';
import { PgliteClient, type StoreSession } from './pglite-client.ts';
import { exchangeBytes } from './pglite-wire.ts';
import { findInitialImage } from './find-initial-image.ts';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './testing/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: PgliteClient;
/** How many of what was sent had a statement to be read by Postgres. */
let statementsRead = 0;

beforeAll(async () => {
  const folder = join(temporaryFolder(), 'store');
  cpSync(await findInitialImage(), folder, { recursive: true });
  const store = await PGlite.create(folder);
  client = new PgliteClient({
    exchange: (messages) => {
      if (new Uint8Array(messages)[0] === 'P'.charCodeAt(0)) statementsRead += 1;
      return exchangeBytes(store, messages);
    },
    close: () => store.close(),
  });
  await client.exec('create table thing (id int primary key, name text)');
  return () => client.close();
});

const ask = async (sql: string, params: unknown[] = [], from: StoreSession = client) =>
  (await from.query(sql, params)).rows;
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );
const readBy = async (run: () => Promise<unknown>) => {
  const before = statementsRead;
  await run();
  return statementsRead - before;
};
const prepared = async () => Number((await ask('table pg_prepared_statements')).length);

test('values of every type that the store uses go in and come out as they were', async () => {
  const bytes = new Uint8Array([0, 1, 39, 92, 127, 128, 255]);
  const moment = new Date('2026-03-29T01:30:00.123Z');
  const texts = ['', 'ä € 🏠', `'"\\`, '{a,b}', 'null', '\u0007\n', '\uD83C', 'ä\uDC00ß'];
  for (const text of texts) {
    expect(await ask('select $1::text as it', [text])).toEqual([{ it: text.toWellFormed() }]);
  }
  const [row] = await ask(
    `select $1::bool as yes, $2::bool as no, $3::int as int, $4::int8 as long, $5::float8 as float, $6::numeric as exact,
      $7::bytea as bytes, $8::jsonb as object, $9::jsonb as list, $10::text[] as texts, $11::timestamptz as moment,
      $12::timestamp as wall, $13::date as day, $14::text as nothing, $15::int8 as huge, $16::jsonb as "jsonNull"`,
    [
      true,
      false,
      -7,
      2 ** 40,
      1e21,
      '0.10',
      bytes,
      { a: { b: null, c: 'ä' } },
      JSON.stringify([1, null, 'x']),
      texts.slice(0, 5),
      moment,
      '2026-03-29 02:30:00',
      '2026-03-29',
      undefined,
      '9223372036854775807',
      'null',
    ],
  );
  expect(row).toEqual({
    yes: true,
    no: false,
    int: -7,
    long: 2 ** 40,
    float: 1e21,
    exact: '0.10',
    bytes,
    object: { a: { b: null, c: 'ä' } },
    list: [1, null, 'x'],
    texts: String.raw`{"","ä € 🏠","'\"\\","{a,b}","null"}`,
    moment,
    wall: new Date('2026-03-29 02:30:00'),
    day: new Date('2026-03-29'),
    nothing: null,
    huge: 9223372036854775807n,
    jsonNull: null,
  });
});

test('texts and answers of many megabytes arrive whole', async () => {
  const text = 'Dämmung '.repeat(400_000);
  expect(await ask('select $1::text as it', [text])).toEqual([{ it: text }]);
  expect(await ask('select n from generate_series(1, 50000) n')).toHaveLength(50_000);
});

test('a statement is read by Postgres once, and then run by name', async () => {
  const read = await readBy(async () => {
    for (const n of [1, 2, 3]) expect(await ask('select $1::int * 2 as twice', [n])).toEqual([{ twice: n * 2 }]);
  });
  expect(read).toBe(1);
});

test('statements of one text that are asked at once are all answered, whether they can be run or not', async () => {
  const all = [1, 2, 3, 4].map((n) => ask('select $1::int + 1 as next', [n]));
  expect(await Promise.all(all)).toEqual([2, 3, 4, 5].map((next) => [{ next }]));
  const none = [1, 2, 3].map((n) => refusal(ask('select $1::int from missing', [n])));
  expect(await Promise.all(none)).toMatchObject([{ code: '42P01' }, { code: '42P01' }, { code: '42P01' }]);
});

test('what is refused says why, and what comes after is answered', async () => {
  const add = (id: number) => ask('insert into thing (id, name) values ($1, $2) returning name', [id, 'a']);
  expect(await add(1)).toEqual([{ name: 'a' }]);
  for (let again = 0; again < 2; again += 1) {
    expect(await refusal(add(1))).toMatchObject({
      name: 'StoreQueryError',
      code: '23505',
      table: 'thing',
      constraint: 'thing_pkey',
      detail: 'Key (id)=(1) already exists.',
    });
  }
  expect(await add(2)).toEqual([{ name: 'a' }]);
  expect(await refusal(ask('select $1::int as a', ['x']))).toMatchObject({ code: '22P02' });
  expect(await refusal(ask('select 1 / $1::int as b', [0]))).toMatchObject({ code: '22012' });
  expect(await refusal(ask('select $1::text', ['\0']))).toMatchObject({ code: '22021' });
  expect(await refusal(ask('selekt'))).toMatchObject({ code: '42601' });
  expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a failed transaction leaves nothing, wherever it failed, and its statements can be used again', async () => {
  const fails = (run: (tx: StoreSession) => Promise<unknown>) => refusal(client.transaction(run));
  const insert = 'insert into thing (id) values ($1)';
  const first = await fails(async (tx) => {
    await ask(insert, [10], tx);
    expect(await refusal(ask(insert, [10], tx))).toMatchObject({ code: '23505' });
    await ask(insert, [11], tx);
  });
  expect(first).toMatchObject({ code: '25P02' });
  expect(await fails(async (tx) => void (await ask(insert, [12], tx), await ask('select 1/0', [], tx)))).toMatchObject({
    code: '22012',
  });
  const own = new Error('its own');
  expect(await fails(async (tx) => void (await ask(insert, [13], tx), await Promise.reject(own)))).toBe(own);
  expect(await ask('select id from thing where id > 9')).toEqual([]);
  await client.transaction((tx) => ask(insert, [14], tx));
  expect(await ask('select id from thing where id > 9')).toEqual([{ id: 14 }]);
});

test('concurrent transactions run one after the other, and other statements wait', async () => {
  const order: string[] = [];
  const transactions = ['a', 'b', 'c'].map((name) =>
    client.transaction(async (tx) => {
      for (const step of [1, 2]) {
        await ask('select pg_sleep(0.002)', [], tx);
        order.push(`${name}${step}`);
      }
    }),
  );
  const read = ask('select 1 as one').then(() => order.push('read'));
  await Promise.all([...transactions, read]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'read']);
});

test('statements go on after their tables have changed, in and after a transaction that changed them', async () => {
  const all = 'select * from thing where id = $1';
  const id = 1;
  expect(await ask(all, [id])).toEqual([{ id, name: 'a' }]);
  await ask('alter table thing add column size int default 7');
  expect(await ask(all, [id])).toEqual([{ id, name: 'a', size: 7 }]);
  const undone = client.transaction(async (tx) => {
    await ask('alter table thing alter column size type text', [], tx);
    expect(await ask(all, [id], tx)).toEqual([{ id, name: 'a', size: '7' }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await ask(all, [id])).toEqual([{ id, name: 'a', size: 7 }]);
  await client.exec('alter table thing drop column size; select 1');
  expect(await ask(all, [id])).toEqual([{ id, name: 'a' }]);
});

test('as many statements are kept prepared as are in use, and none that writes many rows', async () => {
  for (let n = 0; n < 450; n += 1) expect(await ask(`select ${n} as n`)).toEqual([{ n }]);
  const often = await prepared();
  expect(often).toBeGreaterThan(100);
  expect(often).toBeLessThan(250);
  const values = Array.from({ length: 5000 }, (_, n) => `($${n + 1}::int)`).join();
  const many = `select count(*) from (values ${values}) v`;
  expect(
    await ask(
      many,
      Array.from({ length: 5000 }, (_, n) => n),
    ),
  ).toEqual([{ count: 5000 }]);
  expect(await prepared()).toBeLessThanOrEqual(often);
  await ask('create table other (id int)');
  await ask('select 1 as one');
  expect(await prepared()).toBe(1);
});

test('a closed store refuses', async () => {
  const folder = join(temporaryFolder(), 'store');
  cpSync(await findInitialImage(), folder, { recursive: true });
  const { startPglite } = await import('./open-pglite.ts');
  const { client: own, thread } = await startPglite({ folder, durable: true });
  const [asked] = await Promise.allSettled([own.query('select 1 as one'), own.close()]);
  expect(asked).toMatchObject({ value: { rows: [{ one: 1 }] } });
  await expect(own.query('select 1')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await expect(own.transaction(() => Promise.resolve())).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await own.close();
  const again = await startPglite({ folder, durable: true });
  const waiting = again.client.query('select pg_sleep(60)');
  again.thread.stop(new Error('killed'));
  await expect(waiting).rejects.toMatchObject({ code: 'STORE_CLOSED', cause: { message: 'killed' } });
  thread.stop();
});
