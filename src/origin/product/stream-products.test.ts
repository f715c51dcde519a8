import { afterAll, beforeAll, expect, test } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { parseProduct } from '#contracts/product/parse-product.ts';
import { product } from '#origin/platform/store/schema.ts';
import { streamProducts } from './product-interface.ts';
import { startTestInterface, type TestInterface } from './testing/test-interface.ts';

const PRODUCTS = 2500;
let origin: TestInterface;

beforeAll(async () => {
  origin = await startTestInterface();
  const { db } = origin.context.store;
  const [pattern] = await db.select().from(product).limit(1);
  if (!pattern) throw new Error('There is no record to copy.');
  await db.delete(product);
  for (let start = 0; start < PRODUCTS; start += 250) {
    const rows = Array.from({ length: 250 }, (_, i) => numberedGtin(start + i)).flatMap((gtin) =>
      ['de-de', 'fr-fr'].map((language) => ({
        ...pattern,
        gtin,
        language,
        record: { ...pattern.record, gtin, language },
      })),
    );
    await db.insert(product).values(rows);
  }
}, 120_000);
afterAll(() => origin.close());

function numberedGtin(number: number): string {
  const digits = `952${String(number).padStart(9, '0')}`;
  return digits + gtinCheckDigit(digits);
}

test('streams 5,000 records in chunks, each once, each readable', async () => {
  const { headers, body } = await origin.ask('export/');
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'transfer-encoding': 'chunked',
    vary: 'Accept',
    allow: 'GET, HEAD, OPTIONS',
  });
  expect(headers['content-length']).toBeUndefined();
  const lines = body.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(2 * PRODUCTS);
  const records = lines.map((line) => parseProduct(JSON.parse(line)));
  expect(records.every(({ ok, warnings }) => ok && warnings.length === 0)).toBe(true);
  const keys = records.map((reading) => (reading.ok ? `${reading.product.gtin} ${reading.product.language}` : ''));
  expect(new Set(keys).size).toBe(2 * PRODUCTS);
}, 60_000);

test('reads from the store on demand and stops when the client disconnects', async () => {
  const { db } = origin.context.store;
  const select = db.select;
  let batches = 0;
  db.select = ((...args: Parameters<typeof select>) => {
    batches += 1;
    return select.apply(db, args);
  }) as typeof select;
  const reader = streamProducts(origin.context).getReader();
  expect(batches).toBe(0);
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value).split('\n')).toHaveLength(201);
  expect(batches).toBe(1);
  await reader.read();
  await reader.cancel();
  db.select = select;
  expect(batches).toBe(2);
});

test('accepts a language and a time, and any JSON type in Accept', async () => {
  for (const accept of ['application/x-ndjson', 'application/json', '*/*']) {
    const { body } = await origin.ask('export/?language=fr-fr', { headers: { accept } });
    expect(body.split('\n')).toHaveLength(PRODUCTS + 1);
  }
  const none = await origin.ask('export/?modified_after=2999-01-01T00:00:00Z');
  expect(none).toMatchObject({ status: 200, body: '' });
  expect((await origin.ask('export/?modified_after=x')).status).toBe(400);
  expect((await origin.ask('export/', { headers: { accept: 'text/csv' } })).status).toBe(406);
  expect((await origin.ask('export/', { authorization: null })).headers['content-type']).toBe('application/json');
  expect(await origin.ask('export/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
}, 60_000);

test('a store error aborts the stream instead of ending it', async () => {
  const { db } = origin.context.store;
  const select = db.select;
  let calls = 0;
  db.select = ((...args: Parameters<typeof select>) => {
    calls += 1;
    if (calls === 6) throw new Error('the disk is gone');
    return select.apply(db, args);
  }) as typeof select;
  await expect(origin.ask('export/')).rejects.toThrow();
  db.select = select;
  expect(origin.context.logged).toContain('The product export failed: the disk is gone');
}, 60_000);
