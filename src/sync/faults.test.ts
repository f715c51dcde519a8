import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
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

/** Every row of the snapshot. */
function read(): Record<string, unknown[]> {
  const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
  const tables = dumpSnapshot(snapshot);
  snapshot.close();
  return tables;
}

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
    const before = read();
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
      expect(read(), `request ${index}, ${hit.url}`).toEqual(before);
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

it('the death of the process at any request leaves the last good snapshot, and no lock', async () => {
  await upstream.sync();
  const before = read();
  upstream.products.set(`${GTINS[0]}/de-de`, createProduct({ price: 1 }));
  await writeFile(
    path.join(upstream.settings.root, 'list.csv'),
    `gtin,family\n${GTINS.join(',membranes\n')},membranes\n`,
  );
  for (const index of [3, 12, 16]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', childScript()]);
    const ended = once(child, 'close');
    upstream.server.seen.length = 0;
    upstream.fault = (seen) => seen === index && child.kill('SIGKILL');
    await ended;
    expect(child.signalCode, `request ${index}`).toBe('SIGKILL');
    expect(read(), `request ${index}`).toEqual(before);
  }
  upstream.fault = undefined;
  expect(await upstream.sync()).toMatchObject({ changed: true });
});

function childScript(): string {
  const config = {
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
    assortment: 'list.csv',
  };
  return `
    const { defineConfig, resolveSettings } = ${load('../config/index.ts')};
    const { runSync } = ${load('./run-sync.ts')};
    const settings = resolveSettings(${JSON.stringify(upstream.settings.root)}, defineConfig(${JSON.stringify(config)}), {});
    const quiet = () => {};
    await runSync(settings, {
      upstreams: ${JSON.stringify(upstream.upstreams)},
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    });`;
}

function load(file: string): string {
  return `await import(${JSON.stringify(import.meta.resolve(file))})`;
}
