import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFakeServer } from '#client/testing/test-server.ts';
import type { Settings } from '#config/index.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { lockSnapshot, openSnapshot } from '#snapshot/index.ts';
import { GTINS, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { parseMetrics } from './testing/parse-metrics.ts';
import { startTestWatch, type TestWatch } from './testing/start-test-watch.ts';
import type { WatchCatalogueOptions } from './watch-catalogue.ts';

const [GTIN = ''] = GTINS;

let upstream: TestUpstream;
let settings: Settings;
const open: TestWatch[] = [];
beforeEach(async () => {
  upstream = await startTestUpstream();
  settings = { ...upstream.settings, upstreams: upstream.upstreams };
});
afterEach(async () => {
  upstream.fault = undefined;
  for (const watch of open.splice(0)) await watch.stop();
  await upstream.close();
});

async function start(options: Partial<WatchCatalogueOptions> = {}): Promise<TestWatch> {
  const watch = await startTestWatch(settings, options);
  open.push(watch);
  return watch;
}

const setPrice = (price: number) =>
  upstream.products.set(`${GTIN}/de-de`, createProduct({ gtin: GTIN, language: 'de-de', price }));

function priceOf(gtin: string, language = 'de-de'): unknown {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    return snapshot.product(gtin, language)?.record.price;
  } finally {
    snapshot.close();
  }
}

/** Holds all requests to the upstream until released. */
function holdRequests(): { release: () => void; waiting: () => number } {
  const held: (() => void)[] = [];
  upstream.fault = (_index, incoming, response) => {
    held.push(() => upstream.server.answer(incoming, response));
    return true;
  };
  return {
    release: () => {
      upstream.fault = undefined;
      for (const go of held.splice(0)) go();
    },
    waiting: () => held.length,
  };
}

const health = async (watch: TestWatch) => {
  const answer = await fetch(`${watch.url}/healthz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const metrics = async (watch: TestWatch) => {
  const answer = await fetch(`${watch.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const samples = parseMetrics(await answer.text());
  return (name: string, labels: Record<string, string> = {}) =>
    samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;
};

describe('a signed webhook', () => {
  it('brings a change into the snapshot, long before the interval', async () => {
    const watch = await start();
    await watch.seen('sync-finished');
    setPrice(99.5);
    expect((await watch.post()).status).toBe(202);
    expect(await watch.seen('sync-finished', 2)).toMatchObject({ changed: true, counts: { product: {} } });
    expect(Number(priceOf(GTIN))).toBe(99.5);
  });

  it('is taken once: a repetition starts nothing', async () => {
    const watch = await start();
    await watch.seen('sync-finished');
    expect((await watch.post({ id: 'msg_same' })).status).toBe(202);
    await watch.seen('sync-finished', 2);
    const again = await watch.post({ id: 'msg_same' });
    expect([again.status, await again.text()]).toEqual([200, 'Already received.\n']);
    await watch.post({ id: 'msg_other' });
    await watch.seen('sync-finished', 3);
    expect(watch.count('sync-started')).toBe(3);
  });

  it('during a run makes exactly one more, however many there are', async () => {
    const held = holdRequests();
    const watch = await start();
    await vi.waitFor(() => expect(held.waiting()).toBeGreaterThan(0), 10_000);
    for (let n = 0; n < 3; n += 1) expect((await watch.post()).status).toBe(202);
    expect(watch.count('sync-started')).toBe(1);
    setPrice(77);
    held.release();
    await watch.seen('sync-finished', 2);
    expect(Number(priceOf(GTIN))).toBe(77);
    await watch.stop();
    expect(watch.events.map(({ event }) => event).filter((event) => event.startsWith('sync'))).toEqual([
      'sync-started',
      'sync-finished',
      'sync-started',
      'sync-finished',
    ]);
  });
});

const refused = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()];

describe('what is no such webhook', () => {
  it('is refused with a reason, and starts nothing', async () => {
    const watch = await start();
    await watch.seen('sync-finished');
    const other = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
    expect(await refused(watch.post({ secret: other }))).toEqual([401, 'The signature is invalid.\n']);
    expect(await refused(watch.post({ agoSeconds: 400 }))).toEqual([
      401,
      'The timestamp is more than five minutes old.\n',
    ]);
    expect(await refused(watch.post({ headers: { 'content-type': 'text/plain' } }))).toEqual([
      415,
      'The body must be application/json.\n',
    ]);
    expect(await refused(watch.post({ body: JSON.stringify('x'.repeat(70_000)) }))).toEqual([
      413,
      'The body exceeds 65536 bytes.\n',
    ]);
    const read = await fetch(`${watch.url}/hooks/changed`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${watch.url}/metrics`, { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await fetch(`${watch.url}/`)).status).toBe(404);
    expect(watch.count('sync-started')).toBe(1);
    const value = await metrics(watch);
    expect(value('sortiment_webhooks_received_total', { result: 'refused' })).toBe(2);
    expect(value('sortiment_webhooks_received_total', { result: 'malformed' })).toBe(3);
    expect(value('sortiment_webhooks_received_total', { result: 'accepted' })).toBe(0);
  });

  it('is cut off at 64 kB even if it does not say how long it is', async () => {
    const watch = await start();
    const { port } = new URL(watch.url);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const status = await new Promise((resolve) => {
      const sending = request({ port, method: 'POST', path: '/hooks/changed', headers }, (response) => {
        resolve(response.statusCode);
        response.resume();
      });
      sending.on('error', () => undefined);
      const push = (): void => void (sending.destroyed || sending.write(Buffer.alloc(8192, 32), push));
      push();
    });
    expect(status).toBe(413);
  });

  it('is anything at all as long as there is no secret', async () => {
    const watch = await start({ secrets: [] });
    expect(await refused(watch.post())).toEqual([401, 'SORTIMENT_WATCH_SECRET is not set where the watch runs.\n']);
    expect(watch.events[0]).toMatchObject({ event: 'started', webhooks: undefined });
  });
});

describe('the health', () => {
  it('is 200 while the first sync is under way, so that nothing restarts it', async () => {
    const held = holdRequests();
    const watch = await start();
    await vi.waitFor(() => expect(held.waiting()).toBeGreaterThan(0), 10_000);
    expect(await health(watch)).toMatchObject({ status: 200, body: { status: 'starting', running: true } });
    held.release();
    await watch.seen('sync-finished');
    expect(await health(watch)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('a run that fails', () => {
  it('is reported, shows in health, and is made up for', async () => {
    upstream.fault = (_index, _request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const watch = await start();
    expect(await watch.seen('sync-failed')).toMatchObject({ code: expect.stringMatching(/^UPSTREAM_/) });
    expect((await watch.seen('retry-planned')).at > new Date().toISOString()).toBe(true);
    expect(await health(watch)).toMatchObject({
      status: 503,
      body: { status: 'stale', lastSuccess: null, ageSeconds: null, digest: null, failures: 1, running: false },
    });
    upstream.fault = undefined;
    await watch.post();
    const { digest } = await watch.seen('sync-finished');
    const well = await health(watch);
    expect(well).toMatchObject({ status: 200, body: { status: 'ok', digest, failures: 0, running: false } });
    expect(Date.parse(String(well.body['nextRun']))).toBeGreaterThan(Date.now());
    expect(Date.parse(String(well.body['lastSuccess']))).toBeLessThanOrEqual(Date.now());
  });

  it('because another process syncs is no failure: it waits for its turn', async () => {
    const lock = lockSnapshot(settings.snapshotPath);
    const watch = await start({ busyMs: 20 });
    expect((await watch.seen('sync-busy', 2)).message).toMatch(/Another sync/);
    lock.release();
    await watch.seen('sync-finished');
    expect(watch.count('sync-failed')).toBe(0);
    expect((await metrics(watch))('sortiment_sync_runs_total', { outcome: 'busy' })).toBeGreaterThanOrEqual(2);
  });
});

it('runs on its interval without being asked', async () => {
  const watch = await start({ intervalMs: 50 });
  await watch.seen('sync-finished', 3);
  const reasons = watch.events.flatMap((event) => (event.event === 'sync-started' ? event.reason : []));
  expect(reasons.slice(0, 3)).toEqual(['start', 'interval', 'interval']);
});

it('says in metrics what it did and what there is', async () => {
  const watch = await start();
  const { requests, durationMs } = await watch.seen('sync-finished');
  await watch.post();
  await watch.seen('sync-finished', 2);
  const value = await metrics(watch);
  expect(value('sortiment_sync_runs_total', { outcome: 'changed' })).toBe(1);
  expect(value('sortiment_sync_runs_total', { outcome: 'unchanged' })).toBe(1);
  expect(value('sortiment_sync_requests_total')).toBeGreaterThan(requests);
  expect(value('sortiment_sync_duration_seconds_count')).toBe(2);
  expect(value('sortiment_sync_duration_seconds_sum')).toBeGreaterThanOrEqual(durationMs / 1000);
  expect(value('sortiment_sync_last_success_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
  expect(value('sortiment_snapshot_records', { kind: 'product', language: 'en-gb' })).toBe(GTINS.length);
  expect(value('sortiment_snapshot_records', { kind: 'language' })).toBe(2);
  expect(value('sortiment_webhooks_received_total', { result: 'accepted' })).toBe(1);
});

it('sends hooks again between the runs', async () => {
  await upstream.close();
  upstream = await startTestUpstream({ hooks: [{ name: 'site' }] });
  settings = { ...upstream.settings, upstreams: upstream.upstreams };
  const receiver = await startFakeServer((_request, response) => response.writeHead(500).end());
  const environment = {
    SORTIMENT_HOOK_URL: receiver.origin,
    SORTIMENT_HOOK_SECRET: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
  };
  const watch = await start({ environment, deliverEveryMs: 20 });
  await watch.seen('sync-finished');
  expect((await metrics(watch))('sortiment_outbox_messages', { state: 'pending' })).toBe(1);
  receiver.answer = (_request, response) => response.writeHead(204).end();
  const snapshot = openSnapshot(settings.snapshotPath);
  snapshot.database.prepare('UPDATE outbox SET next_attempt_at = ?').run(new Date(0).toISOString());
  snapshot.close();
  await vi.waitFor(
    async () => expect((await metrics(watch))('sortiment_outbox_messages', { state: 'delivered' })).toBe(1),
    10_000,
  );
  const ids = receiver.seen.map(({ headers }) => headers['webhook-id']);
  expect([new Set(ids).size, watch.count('sync-started')]).toEqual([1, 1]);
  await receiver.close();
});

describe('building', () => {
  it('follows each change, is made up for when it fails, and is left out when nothing changed', async () => {
    const shown: (string | undefined)[] = [];
    let fails = true;
    const watch = await start({
      build: async () => {
        if (fails) throw new Error('The build failed in a.astro:3.');
        const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
        const digest = snapshot.digest() ?? '';
        snapshot.close();
        shown.push(digest);
        await mkdir(settings.distFolder, { recursive: true });
        await writeFile(path.join(settings.distFolder, 'build.json'), JSON.stringify({ digest, pages: 4 }));
        return { digest, pages: 4, durationMs: 1 };
      },
    });
    expect((await watch.seen('build-failed')).message).toMatch(/a\.astro:3/);
    fails = false;
    await watch.post();
    const { digest } = await watch.seen('build-finished');
    await watch.post();
    await watch.seen('sync-finished', 3);
    setPrice(55);
    await watch.post();
    await watch.seen('build-finished', 2);
    expect(shown).toEqual([digest, (await watch.seen('sync-finished', 4)).digest]);
    const value = await metrics(watch);
    expect(value('sortiment_build_runs_total', { outcome: 'failed' })).toBe(1);
    expect(value('sortiment_build_runs_total', { outcome: 'built' })).toBe(2);
  });
});

it('stops in the middle of a run and leaves the snapshot as it was', async () => {
  const watch = await start();
  const { digest } = await watch.seen('sync-finished');
  setPrice(12);
  const held = holdRequests();
  await watch.post();
  await vi.waitFor(() => expect(held.waiting()).toBeGreaterThan(0), 10_000);
  await watch.stop();
  expect(watch.events.at(-1)).toEqual({ event: 'stopped' });
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  expect(snapshot.digest()).toBe(digest);
  snapshot.close();
  lockSnapshot(settings.snapshotPath).release();
  await expect(fetch(`${watch.url}/healthz`)).rejects.toThrow('fetch failed');
});

it('does not start on a port that is taken', async () => {
  const other = await startFakeServer((_request, response) => response.end());
  const port = Number(new URL(other.origin).port);
  await expect(startTestWatch(settings, { port })).rejects.toMatchObject({
    code: 'PORT_TAKEN',
    message: expect.stringContaining(String(port)),
  });
  expect(upstream.server.seen).toEqual([]);
  await other.close();
});
