import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, type TestResponse } from '#origin/testing/open-test-site.ts';
import { createPublishingRoutes } from './publishing-interface.ts';
import { openFilledSite, type FilledSite } from './testing/filled-site.ts';

let site: FilledSite;
beforeAll(async () => {
  site = await openFilledSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const send = (method: string, path: string, body: object, as = 'administrator' as const): Promise<TestResponse> =>
  site.fetch(path, { method, as, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Routes whose live servers change the row named in the body. */
const AS_STOCK_SERVERS = ['core/v2/posts/<id>'];

test('a body that names another row than the path is rejected on every route', async () => {
  const taken: string[] = [];
  for (const { path, routes } of createPublishingRoutes(site.context).paths) {
    const names = [...path.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
    for (const { declaration } of routes) {
      const { method } = declaration;
      if (method === 'GET') continue;
      for (const name of names) {
        const { status, body } = await send(method, site.fill(path), { [name]: 4711 });
        const { code, data } = body as { code?: string; data?: { params?: object } };
        const isRefused = status === 400 && code === 'rest_invalid_param' && name in (data?.params ?? {});
        // Some routes validate other required parameters first.
        if (!isRefused && code !== 'rest_missing_callback_param') taken.push(`${method} ${path} ${name} ${status}`);
      }
    }
  }
  const routes = [...new Set(taken.map((one) => one.split(' ')[1]))];
  expect(routes, taken.join('\n')).toEqual(AS_STOCK_SERVERS);
});

test.each(['pages', 'media', 'categories', 'tags', 'comments', 'users'])(
  'of %s, the id of the path may be repeated, as clients do',
  async (kind) => {
    const path = site.fill(`core/v2/${kind}/<id>`);
    const id = path.split('/').at(-1) ?? '';
    for (const same of [Number(id), id]) expect(await send('POST', path, { id: same })).toMatchObject({ status: 200 });
    expect(await send('POST', `${path}?id=4711`, {})).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
  },
);

test('users can change their account only under their own ID', async () => {
  const { administrator, editor } = site.users;
  const change = (fields: object) => send('POST', '/core/v2/users/me', { description: 'changed', ...fields });
  expect(await change({ id: administrator })).toMatchObject({ status: 200 });
  for (const id of [editor, String(editor), 'x', 4711])
    expect(await change({ id, description: 'other' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
  expect(await send('DELETE', `/core/v2/users/me?force=true&reassign=${editor}`, { id: editor })).toMatchObject({
    status: 400,
  });
  const me = await site.fetch('/core/v2/users/me', { as: 'administrator' });
  expect(me.body).toMatchObject({ id: administrator, description: 'changed' });
});
