import { copyFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCutOff, sendHtml, sendJson } from '#client/testing/test-server.ts';
import { createProduct, dumpSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { createPost, createGtins, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

/** 40 records of products and 20 posts. */
const GTINS = createGtins(20);
const POSTS = Array.from({ length: 20 }, (_, i) => i + 1);
const [FIRST = '', SECOND = '', THIRD = ''] = GTINS;

let upstream: TestUpstream;
/** The last good snapshot, and what it holds. */
let lastGood: { file: string; content: Tables };
/** Result of a run without faults. */
let complete: { content: Tables; requests: number };

type Tables = ReturnType<typeof dumpSnapshot>;

beforeAll(async () => {
  upstream = await startTestUpstream({
    assortment: () => GTINS.map((gtin) => ({ gtin, family: 'membranes' })),
    // One attempt more than any of these faults needs; a wait as long as a loaded machine may take for an answer.
    sync: { retries: 2, timeoutMs: 500, concurrency: 4 },
  });
  upstream.lists['posts'] = POSTS.map((id) => createPost({ id, slug: `p${id}` }));
  upstream.fillProducts(GTINS);
  await upstream.sync(QUICK);
  lastGood = { file: path.join(upstream.settings.root, 'last-good.sqlite'), content: readContent() };
  await copyFile(upstream.settings.snapshotPath, lastGood.file);
  // Something changes, something is gone, something comes: all of it is to show, or nothing.
  upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, price: 1 }));
  upstream.products.delete(`${SECOND}/de-de`);
  upstream.products.set(`${THIRD}/en-gb`, createProduct({ gtin: THIRD, language: 'en-gb', name: 'New' }));
  const modified_gmt = '2026-11-21T09:30:00';
  upstream.lists['posts'] = [
    ...POSTS.slice(2).map((id) => createPost({ id, slug: `p${id}` })),
    createPost({ id: 1, slug: 'changed', modified_gmt }),
    createPost({ id: 99, slug: 'new', modified_gmt }),
  ];
  const report = await upstream.sync(QUICK);
  complete = { content: readContent(), requests: report.requests };
  expect(complete.content).not.toEqual(lastGood.content);
});
afterAll(() => upstream.close());

const QUICK = { retry: { baseMs: 1, maxMs: 2 }, now: () => new Date('2026-11-21T10:00:00Z') };

/** All rows except those of runs. */
function readContent(): Tables {
  const { runs: _, outbox: __, ...tables } = upstream.read(dumpSnapshot);
  return tables;
}

const FAULTS: Record<string, { put: (response: ServerResponse) => void; heals: boolean }> = {
  '401': { put: (response) => sendJson(response, { detail: 'x' }, { status: 401 }), heals: false },
  '403': { put: (response) => sendJson(response, { detail: 'x' }, { status: 403 }), heals: false },
  'HTML with 404': { put: (response) => sendHtml(response, 404), heals: false },
  '429 with Retry-After': {
    put: (response) => sendJson(response, {}, { status: 429, headers: { 'retry-after': '0' } }),
    heals: true,
  },
  '500': { put: (response) => sendHtml(response, 500), heals: true },
  'no answer in time': { put: () => undefined, heals: true },
  'a body that is cut off': { put: (response) => sendCutOff(response), heals: true },
  'HTML with 200': { put: (response) => sendHtml(response, 200), heals: false },
};

/** Requests that are about more than some records. The index of the product interface is one only to a refused caller. */
const ESSENTIAL = /\/language\/$|\/wp-json\/\?|_fields=id(%2C|,)modified(%2C|,)modified_gmt/;
const INDEX = /\/api\/partner\/v1\/$/;

/** Result of a run in which one request fails: everything except the requested record. */
function withoutRecordOf(url: string): Pick<Tables, 'products' | 'records'> {
  const [, gtin, language] = /\/product\/(\d+)\/\?language=(.+)/.exec(url) ?? [];
  const [, id] = /include=(\d+)/.exec(url) ?? [];
  const isAsked = (row: unknown) =>
    (gtin !== undefined && isRowOf(row, { gtin, language })) ||
    (id !== undefined && isRowOf(row, { kind: 'post', id }));
  const pick = (table: string) =>
    (complete.content[table] ?? []).map((row, i) => (isAsked(row) ? lastGood.content[table]?.[i] : row));
  return { products: pick('products'), records: pick('records') };
}

function isRowOf(row: unknown, members: Record<string, unknown>): boolean {
  return Object.entries(members).every(([name, value]) => (row as Record<string, unknown>)[name] === value);
}

/** Each request fails in one of the ways, and in all of them in a soak. */
const STEP = process.env['SORTIMENT_SOAK'] ? 1 : 12;

describe.each(Object.entries(FAULTS).map(([name, fault], way) => ({ name, ...fault, way })))('$name', (fault) => {
  const { name, put, heals, way } = fault;
  it(
    'at any request of a run leaves the last good snapshot, or the complete new one',
    { timeout: 120_000 },
    async () => {
      const outcomes = { complete: 0, lastGood: 0 };
      for (let index = 1 + (way % STEP); index <= complete.requests; index += STEP) {
        await upstream.restore(lastGood.file);
        upstream.server.seen.length = 0;
        let hit = '';
        upstream.fault = (seen, request, response) => {
          // A loaded machine may retry once more, which must not heal a permanent fault.
          if (seen !== index && (heals || request.url !== hit)) return false;
          hit = request.url ?? '';
          put(response);
          return true;
        };
        const error: unknown = await upstream.sync(QUICK).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        const what = `${name} at request ${index}, ${hit}`;
        if (error) {
          expect(error, what).toMatchObject({ code: expect.stringMatching(/^UPSTREAM_/) });
          expect(readContent(), what).toEqual(lastGood.content);
        } else if (heals || hit === '') expect(readContent(), what).toEqual(complete.content);
        else expect(readContent(), what).toMatchObject(withoutRecordOf(hit));
        // A loaded machine may have asked more often, at first, than there is to ask.
        if (heals || hit === '') expect(error, what).toBeUndefined();
        else if (!INDEX.test(hit)) expect(error !== undefined, what).toBe(ESSENTIAL.test(hit));
        outcomes[error ? 'lastGood' : 'complete'] += 1;
      }
      expect(outcomes.complete).toBeGreaterThan(0);
      if (heals) expect(outcomes.lastGood).toBe(0);
      else if (STEP === 1) expect(outcomes.lastGood).toBeGreaterThan(0);
    },
  );
});

/** These requests are answered with 500, always. */
function breakProduct(urls: RegExp): void {
  upstream.fault = (_, request, response) => {
    if (!urls.test(request.url ?? '')) return false;
    sendHtml(response, 500);
    return true;
  };
}

describe('a fault that stays', () => {
  it('of one record among many keeps that record as it was, and lets the others change', async () => {
    await upstream.restore(lastGood.file);
    breakProduct(new RegExp(`${FIRST}/\\?language=de-de`));
    const report = await upstream.sync(QUICK);
    expect(report.unreachable).toMatchObject([{ count: 1, sample: { id: FIRST, language: 'de-de' } }]);
    const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
    expect(snapshot.product(FIRST, 'de-de')).toMatchObject({ state: 'present', record: { price: 142.5 } });
    expect(snapshot.product(THIRD, 'en-gb')).toMatchObject({ record: { name: 'New' } });
    snapshot.close();
  });

  it('of more than a few stops the run, which says how many', async () => {
    await upstream.restore(lastGood.file);
    breakProduct(/\/product\//);
    await expect(upstream.sync(QUICK)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringMatching(/^9 of 40 records could not be read; at most 8 may fail/),
    });
    expect(readContent()).toEqual(lastGood.content);
  });

  it('is not answered with ever more attempts', async () => {
    await upstream.restore(lastGood.file);
    upstream.settings.options.sync.guard.failed = 1;
    upstream.server.seen.length = 0;
    breakProduct(/\/product\//);
    await upstream.sync(QUICK).catch(() => undefined);
    upstream.settings.options.sync.guard.failed = 0.2;
    // 40 records, 3 attempts each, would be 120.
    expect(upstream.server.seen.filter(({ url }) => url.includes('/product/')).length).toBeLessThan(100);
  });
});

it('a refused credential stops the run at once', async () => {
  await upstream.restore(lastGood.file);
  // One that times out would be sent again and counted twice.
  upstream.settings.options.sync.timeoutMs = 20_000;
  upstream.server.seen.length = 0;
  upstream.fault = (index, _, response) => {
    if (index < 3) return false;
    sendJson(response, { detail: 'x' }, { status: 403 });
    return true;
  };
  await expect(upstream.sync(QUICK)).rejects.toMatchObject({
    code: 'UPSTREAM_UNAUTHORISED',
    message: expect.stringMatching(
      /^\[GET\] "http:.*\/api\/partner\/v1\/product\/\d+\/\?language=de-de": 403 Forbidden/,
    ),
  });
  // As many as were under way.
  expect(upstream.server.seen.length).toBeLessThanOrEqual(8);
});
