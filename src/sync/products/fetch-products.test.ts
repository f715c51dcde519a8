import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendHtml, sendJson } from '#client/testing/test-server.ts';
import { createProduct, dumpSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { formatReport } from '../report/format-report.ts';
import { createGtins, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

const GTINS = createGtins(40);
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
  const { products } = upstream.read(dumpSnapshot);
  return products?.map((row) => ({ ...(row as object), changed_at: undefined }));
}

/** Response of the export. */
const lines = () => [...upstream.products.values()].map((record) => `${JSON.stringify(record)}\n`);

/** Streams lines until the client disconnects. */
function pour(response: ServerResponse, piece: string): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
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

  it('of another address is asked without what the former one said of its records', async () => {
    const { product } = upstream.upstreams;
    upstream.upstreams = product
      ? { product: { ...product, root: product.root.replace('127.0.0.1', 'localhost') } }
      : {};
    const modified = 'Thu, 01 Oct 2026 00:00:00 GMT';
    let price = 1;
    upstream.fault = (_, request, response) => {
      const [, gtin, language = ''] = /product\/(\d+)\/\?language=(.+)/.exec(request.url ?? '') ?? [];
      if (!gtin) return false;
      if (request.headers['if-modified-since'] === modified) response.writeHead(304).end();
      else sendJson(response, createProduct({ gtin, language, price }), { headers: { 'last-modified': modified } });
      return true;
    };
    await upstream.sync();
    expect(await upstream.sync()).toMatchObject({ changed: false });
    price = 1.2;
    upstream.upstreams = product ? { product } : {};
    // A record that was never read doesn't count as unchanged later.
    expect((await upstream.sync({ maxRequests: 40 })).unasked).toBeGreaterThan(0);
    await upstream.sync();
    expect(readProducts()?.every((row) => JSON.parse((row as { record: string }).record).price === 1.2)).toBe(true);
  });

  it('takes no language for gone that an incomplete list lacks, and says that the list is incomplete', async () => {
    upstream.languages = { count: 2, next: null, results: ['de-de', 'en-gb'] };
    const { digest } = await upstream.sync();
    upstream.languages = { count: 2, next: null, results: ['en-gb'] };
    const report = await upstream.sync();
    expect(report).toMatchObject({
      changed: false,
      digest,
      problems: [{ kind: 'language', problem: expect.stringContaining('has 1 entries, but announces 2') }],
    });
    // Whole, it is believed: the guard asks whether a language is to go.
    upstream.languages = { count: 1, next: null, results: ['en-gb'] };
    await expect(upstream.sync()).rejects.toMatchObject({ code: 'CHANGES_REFUSED' });
  });

  it('says of a first list that it is incomplete', async () => {
    upstream.languages = { count: 3, next: null, results: ['de-de', 'en-gb'] };
    const report = await upstream.sync();
    expect(report.problems).toMatchObject([
      { kind: 'language', problem: expect.stringContaining('may be missing'), advice: expect.stringContaining('list') },
    ]);
    expect(formatReport(report)).toContain('the list has 2 entries, but announces 3');
  });

  it('may name a language twice, and is asked for it once', async () => {
    upstream.languages = ['de-de', 'de-de', 'en-gb'];
    await upstream.sync();
    expect(records(asked())).toHaveLength(80);
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

  it('is read whole once a week: a list may say nothing of a change', async () => {
    await upstream.sync(at(10));
    upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, price: 9 }));
    expect(await upstream.sync(at(11))).toMatchObject({ changed: false });
    const later = { now: () => new Date('2026-11-28T10:00:00Z') };
    expect(await upstream.sync(later)).toMatchObject({ counts: { product: { 'de-de': { changed: 1 } } } });
    asked();
    expect(await upstream.sync(later)).toMatchObject({ changed: false });
    expect(asked()).toEqual(['language/', '', 'product/?page=1&page_size=1000']);
  });

  it('may have records that can never be read, run after run', async () => {
    upstream.settings.options.sync.guard.failed = 0.1;
    upstream.fault = (_, request, response) => {
      if (!new RegExp(`/export/|/${FIRST}/`).test(request.url ?? '')) return false;
      sendHtml(response, 500);
      return true;
    };
    for (const changed of [true, false]) {
      expect(await upstream.sync()).toMatchObject({ changed, unreachable: [{ count: 2 }] });
    }
  });

  it('whose list has no end is asked record by record', async () => {
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/product/?')) return false;
      const results = [{ gtin: FIRST, language: 'de-de', modified: '2026-11-20T10:00:00Z' }];
      sendJson(response, { count: 80, next: 'https://example.com/', previous: null, results });
      return true;
    };
    await upstream.sync();
    const paths = asked();
    expect(records(paths)).toHaveLength(80);
    // No more than what was requested ahead of the second page.
    expect(paths.filter((path) => path.startsWith('product/?')).length).toBeLessThanOrEqual(4);
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

  const foreign = `${JSON.stringify(createProduct({ gtin: '9524999999994' }))}\n`;
  const EXPORTS: Record<string, (response: ServerResponse) => void> = {
    stalls: (response) => void response.write(lines()[0]),
    drips: (response) => {
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    },
    'goes on for ever': (response) => pour(response, foreign.repeat(20)),
    'is one line without end': (response) => pour(response, 'x'.repeat(65_536)),
    'is not UTF-8': (response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d, 0x0a])),
    'nests deeply': (response) =>
      void response.end(
        lines()
          .map((line) => line.replace(/\}\n$/, `,"x":${'['.repeat(9999)}${']'.repeat(9999)}}\n`))
          .join(''),
      ),
  };
  it.each(Object.keys(EXPORTS))('goes on without an export that %s', async (name) => {
    upstream.settings.options.sync.timeoutMs = 3000;
    upstream.fault = (_, request, response) => {
      if (!request.url?.endsWith('export/')) return false;
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      EXPORTS[name]?.(response);
      return true;
    };
    expect(await upstream.sync()).toMatchObject({ problems: [], counts: { product: { 'de-de': { added: 40 } } } });
  });

  it('frees the only connection of an export that it stops reading', async () => {
    upstream.settings.options.sync.concurrency = 1;
    upstream.fault = (_, request, response) => {
      if (!request.url?.endsWith('export/')) return false;
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' });
      const noise = Array.from({ length: 100_000 }, (_, n) => (n * 0.618_034) % 1).join();
      // More of it is announced than ever comes.
      response.write(gzipSync(`{"broken\n${noise}`).subarray(0, -100));
      return true;
    };
    expect(await upstream.sync()).toMatchObject({ counts: { product: { 'de-de': { added: 40 } } } });
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
    // Every record is requested once before any is requested again.
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
