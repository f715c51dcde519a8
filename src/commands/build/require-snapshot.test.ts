import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import { startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { requireSnapshot } from './sync-catalogue.ts';

let upstream: TestUpstream;
let site: TestServer;
/** Response of the site at build.json. */
let answer: { status: number; body: string; location?: string };
beforeEach(async () => {
  upstream = await startTestUpstream();
  answer = { status: 200, body: JSON.stringify({ digest: 'd1', built: '2026-11-20T08:00:00Z', pages: 9 }) };
  site = await startFakeServer((request, response) => {
    const moved = request.url === '/build.json' && answer.location !== undefined;
    response.writeHead(moved ? 301 : answer.status, answer.location ? { location: answer.location } : {});
    response.end(answer.body);
  });
});
afterEach(async () => {
  await site.close();
  await upstream.close();
});

const check = (siteUrl = site.origin) => requireSnapshot({ ...upstream.settings, siteUrl });
const LOST = { code: 'SNAPSHOT_LOST', hint: expect.stringContaining('from-scratch') };

it('stops a sync without a snapshot while the site is published, also behind a redirect', async () => {
  await expect(check()).rejects.toMatchObject({
    ...LOST,
    message: expect.stringContaining(`${site.origin} is published`),
  });
  answer.location = '/moved/build.json';
  await expect(check()).rejects.toMatchObject(LOST);
});

it('stops where it can not tell', async () => {
  answer.status = 503;
  await expect(check()).rejects.toMatchObject({ ...LOST, message: expect.stringContaining('it responds with 503') });
  await expect(check('http://127.0.0.1:9')).rejects.toMatchObject(LOST);
});

it.each([
  ['has no site yet', { status: 404, body: '' }],
  ['had another kind of site', { status: 200, body: '<!doctype html><h1>Hello</h1>' }],
])('lets a first sync begin where the address %s', async (_, answered) => {
  answer = answered;
  await check();
});

it('lets a sync begin that has the snapshot, also after one that failed before it had any', async () => {
  upstream.fault = (_, __, response) => {
    response.writeHead(503).end();
    return true;
  };
  await upstream.sync().catch(() => undefined);
  await expect(check()).rejects.toMatchObject(LOST);
  upstream.fault = undefined;
  await upstream.sync();
  await check();
});
