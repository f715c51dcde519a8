import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProduct, dumpSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { createPost, createGtins, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

const KILLS = process.env['SORTIMENT_SLOW'] ? 4 * Number(process.env['SORTIMENT_SOAK'] ?? 1) : 2;
const GTINS = createGtins(30);

let upstream: TestUpstream;
let lastGood: string;
let before: unknown;
let after: unknown;

beforeAll(async () => {
  upstream = await startTestUpstream({ assortment: 'list.csv', sync: { concurrency: 4 } });
  const { root, snapshotPath } = upstream.settings;
  await writeFile(path.join(root, 'list.csv'), `gtin\n${GTINS.join('\n')}\n`);
  upstream.fillProducts(GTINS);
  upstream.lists['posts'] = [createPost({ id: 1 }), createPost({ id: 2 })];
  await upstream.sync();
  before = readContent();
  lastGood = path.join(root, 'last-good.sqlite');
  await copyFile(snapshotPath, lastGood);
  for (const gtin of GTINS) upstream.products.set(`${gtin}/de-de`, createProduct({ gtin, name: 'Neu' }));
  await upstream.sync();
  after = readContent();
});
afterAll(() => upstream.close());

/** Content of the catalogue without timestamps. */
function readContent(): unknown {
  const { products, records, asset_references } = upstream.read(dumpSnapshot);
  return { products: timeless(products), records: timeless(records), asset_references };
}

function timeless(rows: unknown[] = []): unknown[] {
  return rows.map((row) => ({ ...(row as object), changed_at: undefined, checked_at: undefined }));
}

/** A process that has loaded all modules, and syncs on command. */
async function startSyncer(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SYNCER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const isReady = child.stdout && once(child.stdout, 'data');
  const ended = once(child, 'close').then(() => Promise.reject(new Error('The syncer ended before it was ready.')));
  ended.catch(() => undefined);
  await Promise.race([isReady, ended]);
  return child;
}

const load = (file: string) => `await import(${JSON.stringify(import.meta.resolve(file))})`;
const SYNCER = `
  const { runSync } = ${load('./run-sync.ts')};
  console.log('ready');
  process.stdin.once('data', async (line) => {
    const quiet = () => {};
    const { settings, upstreams } = JSON.parse(String(line));
    await runSync(settings, { upstreams, logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
    process.exit(0);
  });`;

it(
  'leaves the last good snapshot or the new one, whenever it is killed, and the next run works',
  { timeout: 300_000 * Number(process.env['SORTIMENT_SOAK'] ?? 1) },
  async () => {
    const seen = { before: 0, after: 0, resumed: 0 };
    const order = `${JSON.stringify({ settings: upstream.settings, upstreams: upstream.upstreams })}\n`;
    // The first one isn't killed: it shows how many requests a run sends, and how long it goes on after the last one.
    let requests = 0;
    let storingMs = 0;
    let next = startSyncer();
    for (let kill = 0; kill <= KILLS; kill += 1) {
      await upstream.restore(lastGood);
      const child = await next;
      const ended = once(child, 'close');
      if (kill < KILLS) next = startSyncer();
      upstream.server.seen.length = 0;
      let lastRequest = 0;
      // Half of them while a run asks, half while it stores what it was told.
      const isAsking = kill <= KILLS / 2;
      const killAt = isAsking ? Math.ceil((kill / (KILLS / 2 + 1)) * requests) : requests;
      const asked = new Promise<void>((resolve) => {
        upstream.fault = (index) => {
          lastRequest = performance.now();
          if (index + 1 >= killAt) resolve();
          return false;
        };
      });
      child.stdin?.write(order);
      if (kill > 0) {
        await Promise.race([asked, ended]);
        if (!isAsking) await Promise.race([sleep((kill / (KILLS / 2) - 1) * storingMs), ended]);
        child.kill('SIGKILL');
      }
      await ended;
      upstream.fault = undefined;
      if (kill === 0) {
        requests = upstream.server.seen.length;
        storingMs = performance.now() - lastRequest;
      }
      const content = readContent();
      const isOld = JSON.stringify(content) === JSON.stringify(before);
      expect(content, `kill ${kill}`).toEqual(isOld ? before : after);
      seen[isOld ? 'before' : 'after'] += 1;
      const report = await upstream.sync();
      expect(report.problems).toEqual([]);
      if (report.resumed > 0) seen.resumed += 1;
      expect(readContent(), `after kill ${kill}`).toEqual(after);
    }
    expect(seen.before).toBeGreaterThan(0);
    expect(seen.after).toBeGreaterThan(0);
    expect(seen.resumed).toBeGreaterThan(0);
  },
);

it('goes on where a run has died, instead of beginning again', async () => {
  await upstream.restore(lastGood);
  upstream.server.seen.length = 0;
  const stop = new AbortController();
  upstream.fault = (index) => {
    if (index === 50) stop.abort();
    return false;
  };
  await expect(upstream.sync({ signal: stop.signal })).rejects.toMatchObject({ code: 'SYNC_STOPPED' });
  upstream.fault = undefined;
  upstream.server.seen.length = 0;
  const report = await upstream.sync();
  expect(report.resumed).toBeGreaterThan(40);
  expect(upstream.server.seen.filter(({ url }) => url.includes('/product/')).length).toBe(60 - report.resumed);
  expect(report.counts.product?.['de-de']).toMatchObject({ changed: 30 });
  expect(readContent()).toEqual(after);
});

it('doesn’t go on with what is too old, of another upstream or caller, or may be to blame for the failure', async () => {
  const interrupt = async () => {
    await upstream.restore(lastGood);
    upstream.server.seen.length = 0;
    const stop = new AbortController();
    upstream.fault = (index) => {
      if (index === 50) stop.abort();
      return false;
    };
    await upstream.sync({ signal: stop.signal }).catch(() => undefined);
    upstream.fault = undefined;
  };
  await interrupt();
  expect((await upstream.sync({ now: () => new Date(Date.now() + 3 * 3_600_000) })).resumed).toBe(0);
  await interrupt();
  const { product, publishing } = upstream.upstreams;
  expect((await upstream.sync({ upstreams: { ...(product && { product }) } })).resumed).toBe(0);
  expect(publishing).toBeDefined();
  await interrupt();
  const other = {
    product: { ...product, root: product?.root ?? '', token: 'another' },
    ...(publishing && { publishing }),
  };
  await expect(upstream.sync({ upstreams: other })).rejects.toMatchObject({ code: 'UPSTREAM_UNAUTHORISED' });
  expect((await upstream.sync()).resumed).toBe(0);
  await interrupt();
  const fault = {
    progress: () => {
      throw new Error('unforeseen');
    },
  };
  await expect(upstream.sync(fault)).rejects.toThrow('unforeseen');
  expect((await upstream.sync()).resumed).toBe(0);
  await interrupt();
  await writeFile(`${upstream.settings.snapshotPath}.staging`, 'not a database');
  expect((await upstream.sync()).resumed).toBe(0);
});
