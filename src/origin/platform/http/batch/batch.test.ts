import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchedResponse } from '#contracts/batch.ts';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { content } from '#origin/platform/store/schema.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function run(body: object, as?: Role) {
  const headers = { 'content-type': 'application/json' };
  const answer = await site.fetch('/batch/v1', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(as ? { as } : {}),
  });
  const { responses = [] } = answer.body as { responses?: (BatchedResponse | null)[] };
  return { ...answer, responses, statuses: responses.map((response) => response?.status) };
}

const bodies = (responses: readonly (BatchedResponse | null)[]) =>
  responses.map((response) => ({ ...(response?.body as { slug?: string; code?: string }) }));

const countTitled = async (title: string) => {
  const { db } = site.context.store;
  return (
    await db
      .select()
      .from(content)
      .where(and(eq(content.title, title), eq(content.type, 'post')))
  ).length;
};

test('requests run in order, each with its response', async () => {
  const { status, responses, statuses } = await run(
    {
      requests: [
        { path: '/core/v2/posts?_fields=id,slug', body: { title: 'Twin', status: 'publish' } },
        { path: '/core/v2/posts?_fields=id,slug', body: { title: 'Twin', status: 'publish' } },
        { path: '/core/v2/posts', body: { title: 'x', status: 'nonsense' } },
        { path: '/core/v2/nothing' },
        { path: 'core/v2/posts' },
        { path: 'http:///' },
        { method: 'DELETE', path: `${site.context.publicUrl}/core/v2/posts/999999` },
      ],
    },
    'editor',
  );
  expect(status).toBe(207);
  expect(statuses).toEqual([201, 201, 400, 404, 404, 400, 404]);
  expect(bodies(responses.slice(0, 2)).map(({ slug }) => slug)).toEqual(['twin', 'twin-2']);
  expect(responses[0]?.headers).toMatchObject({ Allow: 'GET, POST', Location: expect.stringContaining('/posts/') });
  expect(responses[3]?.headers).toEqual([]);
});

test('a batch grants no further rights', async () => {
  const id = await site.addContent({ authorId: site.users.editor });
  const requests = [
    { path: '/core/v2/posts', body: { title: 'Mine' } },
    { path: '/core/v2/posts', body: { title: 'Mine', status: 'publish' } },
    { method: 'DELETE', path: `/core/v2/posts/${id}?force=true`, headers: { authorization: ['Basic', 'x'] } },
  ];
  expect((await run({ requests }, 'contributor')).statuses).toEqual([201, 403, 403]);
  expect((await run({ requests })).statuses).toEqual([401, 401, 401]);
});

test('routes without batch support are rejected, including the batch route', async () => {
  const requests = [
    { path: '/batch/v1', body: { requests: [] } },
    { path: '/core/v2/settings', body: {} },
    { path: '/core/v2/users/me', body: {} },
  ];
  const { responses } = await run({ requests }, 'administrator');
  expect(bodies(responses).map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'rest_batch_not_allowed'));
  expect(responses[0]?.headers).toEqual({ Allow: 'POST' });
});

test('all or nothing: one request that is not valid keeps the others from running', async () => {
  const valid = { path: '/core/v2/posts', body: { title: 'Only if all' } };
  const failed = await run(
    { validation: 'require-all-validate', requests: [valid, { path: '/core/v2/posts', body: { status: 'x' } }] },
    'editor',
  );
  expect(failed.body).toMatchObject({ failed: 'validation' });
  expect(failed.statuses).toEqual([undefined, 400]);
  expect(await countTitled('Only if all')).toBe(0);

  const unknownId = { path: '/core/v2/posts/999999', body: { title: 'x' } };
  const ran = await run({ validation: 'require-all-validate', requests: [valid, unknownId] }, 'editor');
  expect(ran.statuses).toEqual([201, 404]);
});

test.each([
  ['no requests', {}, 'rest_missing_callback_param'],
  ['one too many', { requests: Array.from({ length: 26 }, () => ({ path: '/core/v2/posts' })) }, 'rest_invalid_param'],
  ['a request that reads', { requests: [{ method: 'GET', path: '/core/v2/posts' }] }, 'rest_invalid_param'],
  ['no path', { requests: [{ method: 'POST' }] }, 'rest_invalid_param'],
  ['a body that is no map', { requests: [{ path: '/core/v2/posts', body: 'x' }] }, 'rest_invalid_param'],
  ['another validation', { validation: 'strict', requests: [] }, 'rest_invalid_param'],
])('%s is no batch', async (_, body, code) => {
  expect(await run(body, 'editor')).toMatchObject({ status: 400, body: { code } });
});
