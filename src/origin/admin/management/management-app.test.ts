import type { HttpBindings } from '@hono/node-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { managementApp, signPass } from './management-app.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let context: TestContext;
beforeAll(async () => void (context = await createTestContext()));
afterAll(() => context.store.close());

const BODY = JSON.stringify({ command: 'language list', args: {} });
const now = () => Date.now();

function ask({ body = BODY, pass = signPass(context.key, body, now()), from = '127.0.0.1', headers = {} } = {}) {
  const env = { incoming: { socket: { remoteAddress: from } } } as unknown as HttpBindings;
  const init = { method: 'POST', body, headers: { authorization: `Bearer ${pass}`, ...headers } };
  return managementApp(context).request('/run', init, env);
}

test('a command with a valid pass from this machine runs', async () => {
  const answer = await ask();
  expect([answer.status, await answer.json()]).toEqual([200, { message: '0 languages', rows: [] }]);
  expect((await ask({ from: '::ffff:127.0.0.1' })).status).toBe(200);
});

test('no body is read without a valid pass', async () => {
  let pieces = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pieces++;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } } as unknown as HttpBindings;
  const init = { method: 'POST', body: endless, duplex: 'half', headers: { authorization: 'Bearer 1.2.3' } } as const;
  const answer = await managementApp(context).request('/run', init, env);
  expect([answer.status, pieces]).toEqual([404, 1]);
  const pass = signPass(context.key, BODY, now());
  const large = await managementApp(context).request(
    '/run',
    { ...init, body: BODY.padEnd(65 * 1024 * 1024), headers: { authorization: `Bearer ${pass}` } },
    env,
  );
  expect(large.status).toBe(404);
});

test('an error keeps its code, message and hint', async () => {
  const answer = await ask({ body: JSON.stringify({ command: 'token revoke', args: { id: 9 } }) });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ error: { code: 'TOKEN_UNKNOWN', hint: expect.any(String) } });
});

test.each([
  ['no pass', () => ask({ pass: '' })],
  ['another key', () => ask({ pass: signPass(new Uint8Array(32), BODY, now()) })],
  ['another body', () => ask({ pass: signPass(context.key, 'other', now()) })],
  ['an old pass', () => ask({ pass: signPass(context.key, BODY, now() - 61_000) })],
  ['another machine', () => ask({ from: '192.168.1.7' })],
  ['a proxy', () => ask({ headers: { 'x-forwarded-for': '192.168.1.7' } })],
])('with %s there is nothing here', async (_, request) => {
  expect((await request()).status).toBe(404);
});
