import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function post(path: string, body: string, as?: Role) {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const answer = await site.fetch(path, { method: 'POST', headers, body, ...(as ? { as } : {}) });
  return { status: answer.status, code: (answer.body as { code?: string }).code };
}

/** Invalid JSON: parsing it yields an error. */
const MALFORMED = `{"title":"${'x'.repeat(3_000_000)}`;

test.each<[path: string, as: Role | undefined, status: number, code: string]>([
  ['/core/v2/posts', undefined, 401, 'rest_cannot_create'],
  ['/core/v2/categories', undefined, 401, 'rest_cannot_create'],
  ['/core/v2/settings', undefined, 401, 'rest_forbidden'],
  ['/batch/v1', undefined, 413, 'rest_body_too_large'],
  ['/core/v2/posts', 'subscriber', 403, 'rest_cannot_create'],
  ['/core/v2/nothing', undefined, 404, 'rest_no_route'],
  ['/core/v2/posts', 'editor', 400, 'rest_invalid_json'],
])('a large body to %s by %s is parsed only for who may send it', async (path, as, status, code) => {
  expect(await post(path, MALFORMED, as)).toEqual({ status, code });
});

test('small bodies are validated before permissions', async () => {
  expect(await post('/core/v2/posts', '{"title')).toEqual({ status: 400, code: 'rest_invalid_json' });
});

test('the number of values is checked before the values', async () => {
  const many = JSON.stringify({ requests: Array.from({ length: 26 }, () => 7) });
  expect(await post('/batch/v1', many, 'editor')).toEqual({ status: 400, code: 'rest_invalid_param' });
  const answer = await site.fetch('/batch/v1', {
    method: 'POST',
    as: 'editor',
    headers: { 'content-type': 'application/json' },
    body: many,
  });
  expect(answer.body).toMatchObject({ data: { details: { requests: { code: 'rest_too_many_items' } } } });
  expect(await post('/batch/v1', `{"requests":[${'{},'.repeat(200_000)}{}]}`, 'editor')).toMatchObject({ status: 413 });
  const categories = JSON.stringify({ title: 'x', categories: Array.from({ length: 50_000 }, () => 1) });
  expect(await post('/core/v2/posts', categories, 'editor')).toEqual({ status: 400, code: 'rest_invalid_param' });
});

const MAX_FIELDS = 1000;
const FORMS: readonly [name: string, type: string, write: (fields: number) => string][] = [
  ['form', 'application/x-www-form-urlencoded', (fields) => Array.from({ length: fields }, () => 'a').join('&')],
  [
    'form in several parts',
    'multipart/form-data; boundary=x',
    (fields) => `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(fields)}--x--\r\n`,
  ],
];

test.each(FORMS)('a %s of more fields than any request has is refused before it is parsed', async (_, type, write) => {
  const send = async (path: string, body: string) => {
    const answer = await site.fetch(path, { method: 'POST', as: 'editor', headers: { 'content-type': type }, body });
    return { status: answer.status, code: (answer.body as { code?: string }).code };
  };
  for (const path of ['/core/v2/posts', '/core/v2/media', '/seo/v1/indexing/prepare']) {
    const refused = { status: 413, code: 'rest_body_too_large' };
    expect(await send(path, write(MAX_FIELDS + 1)), path).toEqual(refused);
    expect((await send(path, write(MAX_FIELDS))).status, path).not.toBe(413);
  }
});

test('a query with too many fields is rejected too', async () => {
  const most = `/core/v2/posts?${'a&'.repeat(MAX_FIELDS - 1)}per_page=1`;
  expect((await site.fetch(most)).status).toBe(200);
  expect(await site.fetch(`${most}&a`)).toMatchObject({ status: 413, body: { code: 'rest_body_too_large' } });
});

test('values of an upload are counted like those of other bodies', async () => {
  expect(await post('/core/v2/media', `{"a":[${'{},'.repeat(200_000)}{}]}`, 'author')).toMatchObject({ status: 413 });
});

test('JSON that is nested too deeply is rejected', async () => {
  const deep = `{"meta":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  expect(await post('/core/v2/posts', deep, 'editor')).toEqual({ status: 400, code: 'rest_invalid_json' });
});

test("characters that the store can't hold are removed from all texts", async () => {
  const answer = await site.fetch('/core/v2/posts?_fields=title', {
    method: 'POST',
    as: 'editor',
    headers: { 'content-type': 'application/json' },
    body: String.raw`{"title":{"raw":"a\u0000b\ud800c \\u0000"}}`,
  });
  expect(answer.body).toMatchObject({ title: { raw: String.raw`ab${'\uFFFD'}c \u0000` } });
});

const write = (fields: object) => post('/core/v2/posts?_fields=id', JSON.stringify(fields), 'contributor');

test('texts have a maximum length, which is accepted', { timeout: 120_000 }, async () => {
  expect(await write({ title: 'x'.repeat(20_000) })).toEqual({ status: 400, code: 'rest_invalid_param' });
  expect(await write({ content: 'x'.repeat(2 * 1024 * 1024 + 1) })).toEqual({
    status: 400,
    code: 'rest_invalid_param',
  });
  expect((await write({ content: '<p>a</p> '.repeat(120_000) })).status).toBe(201);
});
