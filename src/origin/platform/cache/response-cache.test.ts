import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { WriteCounter } from '#origin/platform/store/store.ts';
import { matchesEtag, responseCache } from './response-cache.ts';

const KB = 1024;

/** Serves public responses of the length in the path, and counts the requests that reach the handler. */
function serve(maxBytes = 160 * KB) {
  const writes = new WriteCounter();
  const app = new Hono().use(responseCache(writes, maxBytes));
  let made = 0;
  const headers = { 'cache-control': 'public, max-age=0' };
  app.get('/private', () => new Response(`${(made += 1)}`));
  app.get('/:length{\\d+}', (c) => {
    made += 1;
    return new Response('x'.repeat(Number(c.req.param('length'))), { headers });
  });
  /** Returns true if the response was cached. */
  const isCached = async (path: string, init?: RequestInit) => {
    const before = made;
    await app.request(path, init);
    return made === before;
  };
  return { writes, app, isCached };
}

afterEach(() => void vi.useRealTimers());

test('evicts the least recently used response beyond the byte limit', async () => {
  const { isCached } = serve();
  for (let n = 0; n < 20; n += 1) await isCached(`/5120?${n}`);
  expect(await isCached('/5120?0')).toBe(true);
  for (let n = 20; n < 40; n += 1) await isCached(`/5120?${n}`);
  expect(await isCached('/5120?0')).toBe(true);
  expect(await isCached('/5120?39')).toBe(true);
  expect(await isCached('/5120?1')).toBe(false);
});

test('caches no response that is larger than its share, private or to credentials', async () => {
  const { isCached } = serve();
  for (const path of [`/${10 * KB}`, '/private'])
    expect([await isCached(path), await isCached(path)]).toEqual([false, false]);
  await isCached('/1');
  for (const name of ['authorization', 'cookie', 'x-wp-nonce', 'range', 'x-http-method-override'])
    expect(await isCached('/1', { headers: { [name]: 'x' } })).toBe(false);
  expect(await isCached('/1', { headers: { origin: 'https://a.test' } })).toBe(false);
  expect(await isCached('/1')).toBe(true);
  const { isCached: isUncached } = serve(0);
  expect([await isUncached('/1'), await isUncached('/1')]).toEqual([false, false]);
});

test('caches responses until a write, and nothing while writes of other processes are unknown', async () => {
  const { isCached, writes } = serve();
  expect([await isCached('/1'), await isCached('/1')]).toEqual([false, true]);
  writes.add();
  expect([await isCached('/1'), await isCached('/1')]).toEqual([false, true]);
  writes.setComplete(false);
  expect([await isCached('/1'), await isCached('/1')]).toEqual([false, false]);
  writes.setComplete(true);
  expect([await isCached('/1'), await isCached('/1')]).toEqual([false, true]);
});

test('does not cache a response that was made during a write', async () => {
  const writes = new WriteCounter();
  const app = new Hono().use(responseCache(writes, 160 * KB));
  let value = 0;
  app.get('/', async () => {
    const read = value;
    if (read === 0) {
      value = 1;
      writes.add();
    }
    return new Response(String(read), { headers: { 'cache-control': 'public' } });
  });
  expect(await (await app.request('/')).text()).toBe('0');
  expect(await (await app.request('/')).text()).toBe('1');
});

test('evicts all responses at the quarter of an hour, as dates and offsets change then', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-29T00:45:00Z') });
  const { isCached } = serve();
  await isCached('/1');
  vi.setSystemTime(new Date('2026-03-29T00:59:59.999Z'));
  expect(await isCached('/1')).toBe(true);
  vi.setSystemTime(new Date('2026-03-29T01:00:00Z'));
  expect(await isCached('/1')).toBe(false);
});

test('responds with 304 to clients that have the response, cached or not', async () => {
  const { app } = serve();
  const etag = (await app.request('/1')).headers.get('etag') ?? '';
  for (const path of ['/1', '/1?uncached']) {
    const response = await app.request(path, { headers: { 'if-none-match': etag } });
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await app.request(path, { headers: { 'if-none-match': '"else"' } })).status).toBe(200);
  }
});

test.each([
  ['W/"a"', 'W/"a"', true],
  ['W/"a"', '"x", "a"', true],
  ['"a"', 'W/"a"', true],
  ['"a"', '*', true],
  ['"a"', '"b"', false],
  ['"a"', undefined, false],
])('%s matches %s: %s', (etag, sent, expected) => {
  expect(matchesEtag(etag, sent)).toBe(expected);
});
