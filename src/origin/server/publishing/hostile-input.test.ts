import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { createPublishingRoutes } from './publishing-interface.ts';

let site: TestSite;
let postId: number;
beforeAll(async () => {
  site = await openTestSite();
  postId = await site.addContent({});
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const MANY = Array.from({ length: 5000 }, (_, i) => i);
const WRONG: readonly unknown[] = [
  'no such thing',
  -1,
  9e15,
  1.5,
  null,
  true,
  [],
  {},
  [null],
  { raw: 7 },
  '\0',
  '\uD800',
  [[{}]],
];
const TEXTS = ['abc', '', '-1', '9007199254740993', '99999999999999999999', '1.5', '%00', 'a,b,,', '[object Object]'];

const send = (method: string, path: string, body?: unknown) =>
  site.fetch(path, {
    method,
    as: 'administrator',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test('no route responds to wrong types with a server error', async () => {
  const failed: string[] = [];
  let number = 0;
  for (const { path, routes } of createPublishingRoutes(site.context).paths) {
    for (const { declaration } of routes) {
      const { method, params, query, body } = declaration;
      const filled = path.replaceAll(/<\w+>/g, String(postId));
      const names = [...Object.keys(params?.shape ?? {}), ...Object.keys(query?.shape ?? {})];
      const texts = names.map((name) => [name, TEXTS[(number += 1) % TEXTS.length] ?? ''] as [string, string]);
      // Users and settings are needed until the end.
      const isLasting = /users|settings|themes/.test(path) && method === 'DELETE';
      const values = Object.keys(body?.shape ?? {}).map((name) => [name, WRONG[(number += 1) % WRONG.length]]);
      const requests: [string, unknown][] = [
        ...texts.map((pair): [string, unknown] => [`/${filled}?${new URLSearchParams([pair]).toString()}`, undefined]),
        ...values.map((pair): [string, unknown] => [`/${filled}`, Object.fromEntries([pair])]),
      ];
      if (isLasting || method === 'GET' ? false : values.length > 0)
        requests.push([`/${filled}`, Object.fromEntries(values)]);
      for (const [address, sent] of isLasting ? [] : requests) {
        if (method !== 'GET' && sent === undefined && method !== 'DELETE') continue;
        const { status } = await send(method, address, method === 'GET' ? undefined : sent);
        if (status >= 500 && status !== 501) failed.push(`${method} ${address} ${JSON.stringify(sent)}: ${status}`);
      }
    }
  }
  expect(failed).toEqual([]);
}, 120_000);

/** Codes of server errors and of unsupported operations. */
const OWN_FAULTS = ['seo_error_indexing', 'rest_trash_not_supported'];

test('client errors are not server errors', () => {
  const codes = createPublishingRoutes(site.context).paths.flatMap(({ routes }) =>
    routes.flatMap(({ declaration }) => Object.entries(declaration.errors ?? {})),
  );
  const usual = new Map(codes.map(([code, status]) => [code, [status].flat()[0]]));
  const faults = [...usual].filter(([, status]) => typeof status === 'number' && status >= 500);
  expect(faults.map(([code]) => code).toSorted()).toEqual(OWN_FAULTS.toSorted());
});

test('a text instead of a user ID, and too many IDs, are rejected', async () => {
  const odd = '/core/v2/users/me/application-passwords?user_id=abc';
  expect((await send('GET', odd)).status).toBe(400);
  expect((await send('POST', '/core/v2/users/me/application-passwords', { name: 'x', user_id: 'abc' })).status).toBe(
    400,
  );
  const many = await send('POST', '/core/v2/posts', { title: 'x', categories: MANY });
  expect(many).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  expect((await send('POST', `/core/v2/posts/${postId}`, { tags: MANY })).status).toBe(400);
});
