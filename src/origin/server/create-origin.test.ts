import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { createOrigin } from './create-origin.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
}, 60_000);
afterAll(() => context.store.close());

const STOCK = '/wp-admin/authorize-application.php';

test.each([
  ['its own names', {}, '/admin/authorize-application.php', 404, null],
  ['stock names', STOCK_NAMESPACES, STOCK, 302, '/admin/authorize-application.php?app_name=App'],
])('under %s, applications find where they ask for a password', async (_, namespaces, advertised, status, leads) => {
  const origin = createOrigin({ ...context, namespaces });
  const index = await (await origin.request('http://origin.test/rest/?_fields=authentication')).json();
  expect(index).toMatchObject({
    authentication: { 'application-passwords': { endpoints: { authorization: `http://origin.test${advertised}` } } },
  });
  const answer = await origin.request(`http://origin.test${STOCK}?app_name=App`);
  expect([answer.status, answer.headers.get('location')]).toEqual([status, leads]);
});

const health = async (origin: ReturnType<typeof createOrigin>) => {
  const answer = await origin.request('http://origin.test/healthz');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return [answer.status, await answer.json()];
};

test('is healthy while its store responds, and unavailable once it is closed', async () => {
  const own = await createTestContext();
  const origin = createOrigin(own);
  expect(await health(origin)).toEqual([200, { status: 'ok' }]);
  await own.store.close();
  expect(await health(origin)).toEqual([503, { status: 'unavailable' }]);
});

test('is unavailable if its store does not respond in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const db = Object.assign(Object.create(context.store.db), { execute: () => new Promise(() => undefined) });
    const answered = health(createOrigin({ ...context, store: { ...context.store, db } }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await answered).toEqual([503, { status: 'unavailable' }]);
  } finally {
    vi.useRealTimers();
  }
});
