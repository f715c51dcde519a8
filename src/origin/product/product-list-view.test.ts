import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProducts } from '#contracts/product/routes.ts';
import { product } from '#origin/platform/store/schema.ts';
import { upsertRecord, startTestInterface, type TestInterface } from './testing/test-interface.ts';

const GTINS = ['9524010000016', '9524010000023', '9524010000030'];
let origin: TestInterface;

beforeAll(async () => {
  origin = await startTestInterface();
  await origin.context.store.db.delete(product);
  const start = Date.parse('2026-11-21T10:00:00Z');
  for (const [i, gtin] of GTINS.toReversed().entries()) {
    await upsertRecord(origin.context, { gtin, language: 'de-de' }, new Date(start + i * 1000));
  }
  await upsertRecord(origin.context, { gtin: '9524010000016', language: 'fr-fr' }, new Date(start));
}, 60_000);
afterAll(() => origin.close());

async function read(path: string) {
  const { body, status } = await origin.ask(path);
  expect(status, body).toBe(200);
  return listProducts.response.parse(JSON.parse(body));
}

test('lists records by their change, ties by GTIN and language', async () => {
  expect(await read('product/')).toEqual({
    count: 4,
    next: null,
    previous: null,
    results: [
      { gtin: '9524010000016', language: 'fr-fr', modified: '2026-11-21T10:00:00.000000Z' },
      { gtin: '9524010000030', language: 'de-de', modified: '2026-11-21T10:00:00.000000Z' },
      { gtin: '9524010000023', language: 'de-de', modified: '2026-11-21T10:00:01.000000Z' },
      { gtin: '9524010000016', language: 'de-de', modified: '2026-11-21T10:00:02.000000Z' },
    ],
  });
});

test('pages are linked absolutely, the first one without a number', async () => {
  const first = await read('product/?page_size=2&language=de-de');
  expect(first).toMatchObject({ count: 3, previous: null });
  expect(first.next).toBe('http://origin.test/api/partner/v1/product/?language=de-de&page=2&page_size=2');
  const second = await read(new URL(first.next ?? '').pathname + new URL(first.next ?? '').search);
  expect(second).toMatchObject({
    next: null,
    previous: 'http://origin.test/api/partner/v1/product/?language=de-de&page_size=2',
  });
  expect([...first.results, ...second.results].map(({ gtin }) => gtin)).toEqual(GTINS.toReversed());
  expect(await read('product/?page=last&page_size=2&language=de-de')).toEqual({
    ...second,
    previous: 'http://origin.test/api/partner/v1/product/?language=de-de&page_size=2',
  });
});

test.each([
  ['page_size=0', 4],
  ['page_size=x', 4],
  ['page_size=5000', 4],
  ['page_size=', 4],
  ['page_size=3', 3],
  ['page=&page_size=1', 1],
])('%s gives %i rows', async (query, rows) => {
  expect((await read(`product/?${query}`)).results).toHaveLength(rows);
});

test.each([
  ['2026-11-21T10:00:00Z', 2],
  ['2026-11-21T10:00:00', 2],
  ['2026-11-21 10:00:00.999999Z', 2],
  ['2026-11-21T11:00:01+01:00', 1],
  ['2026-11-21T09:59:59.999999Z', 4],
  ['2026-11-21T10:00:02.000000Z', 0],
  ['', 4],
])('modified_after=%s gives %i', async (moment, rows) => {
  expect((await read(`product/?modified_after=${encodeURIComponent(moment)}`)).count).toBe(rows);
});

test.each(['yesterday', '2026-02-31T00:00:00Z', '2026-11-21', '2026-11-21T10:00:00+99:00', '0000-01-01T00:00:00Z'])(
  'modified_after=%s is refused',
  async (moment) => {
    expect(await origin.ask(`product/?modified_after=${encodeURIComponent(moment)}`)).toMatchObject({
      status: 400,
      body: '{"modified_after":["Enter a valid date/time."]}',
    });
  },
);

test('microseconds are preserved, so that the last seen change is not repeated', async () => {
  await origin.context.store.db.execute(
    `update product set modified_at = '2026-11-22T00:00:00.998127Z' where gtin = '9524010000023'`,
  );
  const { modified } = (await read('product/?page=last')).results.at(-1) ?? {};
  expect(modified).toBe('2026-11-22T00:00:00.998127Z');
  expect((await read(`product/?modified_after=${modified}`)).count).toBe(0);
});

test('an empty list is a page', async () => {
  expect(await read('product/?modified_after=2030-01-01T00:00:00Z&page=last')).toEqual({
    count: 0,
    next: null,
    previous: null,
    results: [],
  });
});
