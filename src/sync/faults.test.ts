import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendCutOff, sendHtml, sendJson } from '../client/test-server.ts';
import { createProduct } from '../snapshot/create-product.ts';
import { dumpSnapshot } from '../snapshot/dump-snapshot.ts';
import { openSnapshot } from '../snapshot/index.ts';
import { createPost, GTINS, startTestUpstream, type TestUpstream } from './test-upstream.ts';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream({ hooks: [{ name: 'site' }], sync: { concurrency: 3 } });
  upstream.lists['posts'] = [createPost({ id: 1 }), createPost({ id: 2 })];
});
afterEach(() => upstream.close());

const FAULTS: Record<string, { put: (response: ServerResponse) => void; code: string }> = {
  '401': { put: (response) => sendJson(response, { detail: 'x' }, { status: 401 }), code: 'UPSTREAM_UNAUTHORISED' },
  '403': { put: (response) => sendJson(response, { detail: 'x' }, { status: 403 }), code: 'UPSTREAM_UNAUTHORISED' },
  '429': {
    put: (response) => sendJson(response, {}, { status: 429, headers: { 'retry-after': '9999' } }),
    code: 'UPSTREAM_THROTTLED',
  },
  '500': { put: (response) => sendHtml(response, 500), code: 'UPSTREAM_UNAVAILABLE' },
  'HTML with 200': { put: (response) => sendHtml(response, 200), code: 'UPSTREAM_WRONG_ADDRESS' },
  'HTML with 404': { put: (response) => sendHtml(response, 404), code: 'UPSTREAM_WRONG_ADDRESS' },
  'a body that is cut off': { put: (response) => sendCutOff(response), code: 'UPSTREAM_UNAVAILABLE' },
  'a broken connection': { put: (response) => response.destroy(), code: 'UPSTREAM_UNAVAILABLE' },
};

/** Of 16: the languages, two of 8 products, the index, the lists. */
const INDEXES = [1, 2, 9, 10, 11, 13, 15, 16, 14];
/** Authors may be kept private. */
const survives = (url: string, code: string) =>
  /\/users\?/.test(url) && ['UPSTREAM_UNAUTHORISED', 'UPSTREAM_WRONG_ADDRESS'].includes(code);

describe.each(Object.entries(FAULTS))('%s', (_, { put, code }) => {
  const failAt = (index: number) => {
    const hit = { url: '' };
    upstream.server.seen.length = 0;
    upstream.fault = (seen, request, response) => {
      if (seen !== index) return false;
      hit.url = request.url ?? '';
      put(response);
      return true;
    };
    return hit;
  };

  it('at any request of the first run leaves nothing', async () => {
    for (const index of INDEXES) {
      const hit = failAt(index);
      const outcome: unknown = await upstream.sync().then(
        () => 'survived',
        (error: unknown) => error,
      );
      if (survives(hit.url, code)) expect(outcome).toBe('survived');
      else expect(outcome, `request ${index}, ${hit.url}`).toMatchObject({ code });
      expect(existsSync(upstream.settings.snapshotPath)).toBe(outcome === 'survived');
      await rm(upstream.settings.snapshotPath, { force: true });
    }
  });

  it('at any request of a later run leaves the last good snapshot as it was', async () => {
    await upstream.sync();
    const dump = () => {
      const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
      const tables = dumpSnapshot(snapshot);
      snapshot.close();
      return tables;
    };
    const before = dump();
    // Something changes, something goes, something comes: none of it may show.
    upstream.products.set(`${GTINS[0]}/de-de`, createProduct({ price: 1 }));
    upstream.products.delete(`${GTINS[1]}/de-de`);
    upstream.lists['posts'] = [createPost({ id: 1, slug: 'anders' }), createPost({ id: 3 })];
    for (const index of INDEXES) {
      const hit = failAt(index);
      const outcome: unknown = await upstream.sync().catch((error: unknown) => error);
      if (survives(hit.url, code)) {
        expect(outcome).toMatchObject({ changed: true });
        return;
      }
      expect(outcome, `request ${index}, ${hit.url}`).toMatchObject({ code });
      expect(dump(), `request ${index}, ${hit.url}`).toEqual(before);
    }
    upstream.fault = undefined;
    expect(await upstream.sync()).toMatchObject({ changed: true });
  });
});

it('a refused credential stops the run at once', async () => {
  upstream.fault = (index, _, response) => {
    if (index < 2) return false;
    sendJson(response, { detail: 'x' }, { status: 403 });
    return true;
  };
  await expect(upstream.sync()).rejects.toMatchObject({
    code: 'UPSTREAM_UNAUTHORISED',
    message: expect.stringMatching(
      /^\[GET\] "http:.*\/api\/partner\/v1\/product\/9524010000016\/\?language=de-de": 403 Forbidden/,
    ),
  });
  // As many as were under way.
  expect(upstream.server.seen.length).toBeLessThanOrEqual(4);
});

it('a passing fault is healed by another attempt', async () => {
  upstream.settings.options.sync.retries = 2;
  upstream.fault = (index, _, response) => {
    if (index % 4 !== 0) return false;
    sendJson(response, {}, { status: 503, headers: { 'retry-after': '0' } });
    return true;
  };
  expect(await upstream.sync()).toMatchObject({ changed: true, problems: [] });
});
