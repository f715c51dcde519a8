import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendHtml, sendJson } from '../../client/test-server.ts';
import { createProduct } from '../../snapshot/create-product.ts';
import { dumpSnapshot } from '../../snapshot/dump-snapshot.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { gtinsOf, startTestUpstream, type TestUpstream } from '../test-upstream.ts';

const GTINS = gtinsOf(40);
const [FIRST = '', SECOND = ''] = GTINS;

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => GTINS.map((gtin) => ({ gtin })) });
  upstream.products.clear();
  upstream.fillProducts(GTINS);
  const { product } = upstream.upstreams;
  upstream.upstreams = { ...(product && { product }) };
});
afterEach(() => upstream.close());

/** Paths below the interface's root that were asked for since the last time. */
function asked(): string[] {
  return upstream.server.seen.splice(0).map(({ url }) => url.slice('/api/partner/v1/'.length));
}

const at = (hour: number) => ({ now: () => new Date(`2026-11-21T${hour}:00:00Z`) });

const records = (paths: readonly string[]) => paths.filter((path) => /^product\/\d/.test(path));

function readProducts(): unknown[] | undefined {
  const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
  const { products } = dumpSnapshot(snapshot);
  snapshot.close();
  return products?.map((row) => ({ ...(row as object), changed_at: undefined }));
}

describe('an interface without additions', () => {
  it('is asked for each record, and with validators sends none of them twice', async () => {
    upstream.validators = true;
    await upstream.sync();
    expect(records(asked())).toHaveLength(80);
    const again = await upstream.sync();
    expect(again).toMatchObject({ changed: false });
    expect(records(asked())).toHaveLength(80);
    // The language list and the index' 404, and nothing else.
    expect(again.bytes).toBeLessThan(200);
  });
});

describe('an interface with a list and an export', () => {
  beforeEach(() => {
    upstream.modified = new Map();
  });

  it('gives the same snapshot in a few requests as record by record', async () => {
    await upstream.sync();
    expect(asked()).toEqual(['language/', '', 'product/?page=1&page_size=1000', 'export/']);
    const listed = readProducts();
    await upstream.close();
    upstream = await startTestUpstream({ assortment: () => GTINS.map((gtin) => ({ gtin })) });
    upstream.products.clear();
    upstream.fillProducts(GTINS);
    await upstream.sync();
    expect(readProducts()).toEqual(listed);
  });

  it('is asked for no record when none has changed, and for one when one has', async () => {
    await upstream.sync();
    asked();
    expect(await upstream.sync()).toMatchObject({ changed: false });
    expect(asked()).toEqual(['language/', '', 'product/?page=1&page_size=1000']);
    upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, price: 9 }));
    upstream.modified?.set(`${FIRST}/de-de`, '2026-11-21T10:00:00Z');
    expect(await upstream.sync()).toMatchObject({ changed: true, counts: { product: { 'de-de': { changed: 1 } } } });
    expect(records(asked())).toEqual([`product/${FIRST}/?language=de-de`]);
    expect(await upstream.sync()).toMatchObject({ changed: false });
    expect(records(asked())).toEqual([]);
  });

  it('asks for what the list leaves out: a list that shifts is no proof', async () => {
    await upstream.sync();
    const record = upstream.products.get(`${FIRST}/de-de`);
    upstream.fault = (_, request, response) => {
      if (!request.url?.endsWith(`${FIRST}/?language=de-de`)) return false;
      sendJson(response, record);
      return true;
    };
    upstream.products.delete(`${FIRST}/de-de`);
    asked();
    expect(await upstream.sync()).toMatchObject({ changed: false, awaitedRemovals: [] });
    upstream.fault = undefined;
    expect(await upstream.sync()).toMatchObject({ changed: false, awaitedRemovals: [{ gtin: FIRST, runs: 1 }] });
  });

  it.each([
    ['an export that ends early', 'export/', (line: string) => line.slice(0, 5000)],
    ['an export with a line that is no JSON', 'export/', (line: string) => line.replace('{', '<')],
  ])('%s is made up for record by record', async (_, path, spoil) => {
    upstream.fault = (_index, request, response) => {
      if (!request.url?.endsWith(path)) return false;
      const body = [...upstream.products.values()].map((record) => `${JSON.stringify(record)}\n`).join('');
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(spoil(body));
      return true;
    };
    expect(await upstream.sync()).toMatchObject({
      problems: [],
      counts: { product: { 'de-de': { added: 40 }, 'en-gb': { added: 40 } } },
    });
  });

  it.each(['product/?', 'export/'])('goes on without %s when that fails', async (path) => {
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes(`/v1/${path}`)) return false;
      sendHtml(response, 500);
      return true;
    };
    expect(await upstream.sync()).toMatchObject({ problems: [], counts: { product: { 'de-de': { added: 40 } } } });
    expect(records(asked())).toHaveLength(80);
  });
});

describe('a run with a budget', () => {
  it('ends within it, begins with what was longest unread, and takes nothing for gone', async () => {
    const first = await upstream.sync({ maxRequests: 32, ...at(10) });
    expect(first.requests).toBeLessThanOrEqual(32 + 8);
    expect(first.unasked).toBeGreaterThan(0);
    const before = new Set(records(asked()));
    expect(first.unasked).toBe(80 - before.size);
    upstream.products.delete(`${SECOND}/de-de`);
    for (const hour of [11, 12]) await upstream.sync({ maxRequests: 42, ...at(hour) });
    // Everybody has been asked for once before anybody is asked for again.
    const seen = records(asked());
    expect(new Set([...before, ...seen]).size).toBe(80);
    expect(seen.slice(0, 30).some((path) => before.has(path))).toBe(false);
    expect(readProducts()).toHaveLength(80);
  });
});

describe('a server that is slow or refuses', () => {
  it('is asked for less at once, and what it asks for is done', async () => {
    let underWay = 0;
    let most = 0;
    upstream.settings.options.sync.concurrency = 16;
    upstream.settings.options.sync.retries = 5;
    upstream.settings.options.sync.guard.failed = 1;
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/product/')) return false;
      underWay += 1;
      most = Math.max(most, underWay);
      response.once('close', () => (underWay -= 1));
      if (underWay <= 3) return false;
      sendJson(response, {}, { status: 429, headers: { 'retry-after': '0' } });
      return true;
    };
    const report = await upstream.sync({ retry: { baseMs: 1, maxMs: 5 } });
    expect(report.counts.product?.['de-de']?.added).toBe(40);
    // 80 records; a client that doesn't learn would be refused hundreds of times.
    expect(report.requests).toBeLessThan(140);
    expect(most).toBeLessThan(16);
  });
});
