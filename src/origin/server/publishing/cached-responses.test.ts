import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { DEFAULT_CACHE_BYTES, responseCache } from '#origin/platform/cache/response-cache.ts';
import { applicationPassword, content, outbox, session } from '#origin/platform/store/schema.ts';
import { CHECK_READS_TIMEOUT_MS, checkReads } from '#origin/testing/check-reads.ts';
import { OPEN_TIMEOUT_MS, testPassword } from '#origin/testing/open-test-site.ts';
import { startTestServer, type TestServer } from '#origin/testing/test-server.ts';
import { publishingInterface, createPublishingRoutes } from './publishing-interface.ts';
import { openFilledSite, type FilledSite } from './testing/filled-site.ts';

let site: FilledSite;
let cached: TestServer;
let uncached: TestServer;
/** Requests that reached the server because the cache had no response. */
let uncachedRequests = 0;
beforeAll(async () => {
  site = await openFilledSite();
  const { writes } = site.context.store;
  const app = publishingInterface(site.context);
  const withCache = (maxBytes: number) => {
    const counted = new Hono().use(responseCache(writes, maxBytes)).use((_, next) => {
      uncachedRequests += 1;
      return next();
    });
    return counted.route('/', app);
  };
  cached = await startTestServer(withCache(DEFAULT_CACHE_BYTES));
  uncached = await startTestServer(withCache(0));
}, OPEN_TIMEOUT_MS);
afterAll(async () => {
  await cached.close();
  await uncached.close();
  await site.close();
});

const basic = (role: Role) => `Basic ${Buffer.from(`${role}:${testPassword(role)}`).toString('base64')}`;

type Asker = Role | 'anybody';

async function ask(server: TestServer, path: string, as: Asker = 'anybody', more: Record<string, string> = {}) {
  const headers = { ...(as === 'anybody' ? {} : { authorization: basic(as) }), ...more };
  const { headers: answered, ...answer } = await server.ask(`/rest${path}`, { headers });
  const { date: _, ...told } = answered;
  return { ...answer, headers: told };
}

/** Counts the requests that the cache doesn't answer during a call. */
async function count(run: () => Promise<unknown>): Promise<number> {
  const before = uncachedRequests;
  await run();
  return uncachedRequests - before;
}

const ASKERS: readonly Asker[] = ['administrator', 'anybody', 'editor', 'subscriber'];

/** Addresses of all read routes, and whether their responses are cached. */
function routesToAsk(): { path: string; isKept: boolean }[] {
  return createPublishingRoutes(site.context).paths.flatMap(({ path, routes }) => {
    const read = routes.find(({ methods }) => methods.includes('GET'));
    // A GET with side effects.
    return read && path !== 'thumbnails/v1/regenerate/<id>' ? [{ path: site.fill(path), isKept: read.isKept }] : [];
  });
}

/** Runs a function at a fixed time of the clock, because responses expire every quarter of an hour. */
async function at<T>(time: string | number, run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: typeof time === 'number' ? time : new Date(`2026-11-23T${time}Z`) });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

test('cached responses equal uncached ones, for every caller', { timeout: 300_000 }, () =>
  at('12:00:00', async () => {
    const routes = routesToAsk();
    // The first request may record or start something.
    for (const { path } of routes) await ask(uncached, path, 'administrator');
    const made: [string, Asker, Awaited<ReturnType<typeof ask>>][] = [];
    for (const { path, isKept } of routes)
      if (isKept) for (const as of ASKERS) made.push([path, as, await ask(uncached, path, as)]);
    const expectAgain = async (of: typeof made) => {
      for (const [path, as, answer] of of) expect([path, as, await ask(cached, path, as)]).toEqual([path, as, answer]);
    };
    await expectAgain(made);
    const kept = made.filter(([, as, { status }]) => status === 200 && as === 'anybody');
    expect(kept.length).toBeGreaterThan(40);
    expect(await count(() => expectAgain(kept))).toBe(0);
  }),
);

async function askAll(): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { path, isKept } of routesToAsk())
    if (isKept) answers.push([path, await ask(uncached, path, 'administrator')]);
  return answers;
}

test("cached responses don't depend on the clock within a quarter of an hour", async () => {
  // The first request may record something.
  await at('12:00:00', askAll);
  expect(await at('12:14:58', askAll)).toEqual(await at('12:00:01', askAll));
});

test('only complete, successful, anonymous responses are publicly cacheable', async () => {
  const open = await ask(cached, '/core/v2/posts');
  expect(open.headers).toMatchObject({
    'cache-control': 'public, max-age=0, must-revalidate',
    vary: 'Origin, Authorization, X-WP-Nonce',
  });
  const own = await ask(cached, '/core/v2/posts', 'editor');
  expect(own.headers['cache-control']).toContain('no-store');
  expect(own.headers).not.toHaveProperty('etag');
  for (const path of ['/core/v2/posts/99999', '/core/v2/posts?per_page=0', '/core/v2/settings'])
    expect((await ask(cached, path)).headers).not.toHaveProperty('cache-control');
});

test('conditional requests get 304 from the cache', () =>
  at(Date.now(), async () => {
    const { headers } = await ask(uncached, '/core/v2/posts');
    const known = { 'if-none-match': headers['etag'] ?? '' };
    const made = await ask(uncached, '/core/v2/posts', 'anybody', known);
    expect([made.status, made.body]).toEqual([304, '']);
    await ask(cached, '/core/v2/posts', 'anybody', { 'if-none-match': '"else"' });
    const answers: unknown[] = [];
    const passed = await count(async () => {
      answers.push(await ask(cached, '/core/v2/posts', 'anybody', known));
    });
    expect([answers, passed]).toEqual([[made], 0]);
    await site.context.store.db
      .update(content)
      .set({ title: 'Else' })
      .where(eq(content.id, site.ids['post'] ?? 0));
    expect((await ask(cached, '/core/v2/posts', 'anybody', known)).status).toBe(200);
  }));

test('ambiguous requests bypass the cache', async () => {
  await ask(cached, '/core/v2/posts');
  await ask(cached, '/core/v2/posts', 'anybody', { origin: 'https://a.test' });
  const others = {
    origin: 'https://b.test',
    'x-http-method-override': 'OPTIONS',
    'x-wp-nonce': 'wrong',
    cookie: 'a=b',
  };
  for (const [name, value] of Object.entries(others)) {
    const made = await ask(uncached, '/core/v2/posts', 'anybody', { [name]: value });
    expect(await ask(cached, '/core/v2/posts', 'anybody', { [name]: value })).toEqual(made);
  }
  const headers = { 'content-type': 'application/json', 'content-length': '14' };
  const body = { method: 'GET', headers, body: '{"per_page":1}' };
  expect(await cached.ask('/rest/core/v2/posts', body)).toMatchObject({ headers: { 'x-wp-totalpages': '20' } });
});

test('only writes that are invisible in responses keep the cache', () =>
  at(Date.now(), async () => {
    const { db } = site.context.store;
    const kept = async () => (await count(() => ask(cached, '/core/v2/posts'))) === 0;
    await ask(cached, '/core/v2/posts');
    await db.insert(session).values({ hash: 'x', userId: 1, expiresAt: new Date() });
    await db.insert(outbox).values({ kind: 'test', payload: {} });
    await db.transaction((tx) => tx.delete(session).where(eq(session.hash, 'x')));
    expect(await kept()).toBe(true);
    await db.update(content).set({ title: 'Never' }).where(eq(content.id, -1));
    expect(await kept()).toBe(true);
    const failed = db.transaction(async (tx) => {
      await tx.update(content).set({ title: 'Never' }).where(eq(content.type, 'page'));
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await kept()).toBe(true);
    await db.transaction((tx) => tx.update(content).set({ title: 'Page' }).where(eq(content.type, 'page')));
    expect(await kept()).toBe(false);
    expect(await kept()).toBe(true);
  }));

test('a revoked password gets no cached response', async () => {
  expect((await ask(cached, '/core/v2/users/me', 'author')).status).toBe(200);
  await site.context.store.db.delete(applicationPassword).where(eq(applicationPassword.userId, site.users.author));
  expect((await ask(cached, '/core/v2/users/me', 'author')).status).toBe(401);
});

test(
  'nobody reads what is older than an acknowledged write, or for others',
  { timeout: CHECK_READS_TIMEOUT_MS },
  async () => {
    const credentials = { writer: basic('administrator'), readers: [basic('administrator'), basic('editor')] };
    await checkReads([`${site.context.publicUrl}/rest`], credentials);
  },
);
