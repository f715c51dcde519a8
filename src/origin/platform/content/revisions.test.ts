import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Body extends Record<string, unknown> {
  id: number;
}

async function send(method: string, path: string, body?: object, as: Role = 'administrator') {
  const headers = { 'content-type': 'application/json' };
  const request = { method, as, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await site.fetch(`/core/v2/${path}`, request);
  return { ...answer, body: answer.body as Body & Body[] };
}
const write = async (fields: object, as?: Role) => (await send('POST', 'posts', { title: 'T', ...fields }, as)).body.id;
const texts = async (id: number, query = '') =>
  (await send('GET', `posts/${id}/revisions?context=edit${query}`)).body.map(
    (row) => (row['content'] as { raw: string }).raw,
  );

describe('revisions', () => {
  test('every state after the first is kept, the newest first', async () => {
    const id = await write({ content: 'one' });
    for (const content of ['two', 'three']) await send('POST', `posts/${id}`, { content });
    await send('POST', `posts/${id}`, { meta: { _seo_title: 'no text of it' } });
    expect(await texts(id)).toEqual(['three', 'two']);
    await send('POST', `posts/${id}`, { meta: { footnotes: '[{"id":"a","content":"n"}]' } });
    expect((await send('GET', `posts/${id}/revisions`)).body[0]).toMatchObject({
      slug: `${id}-revision-v1`,
      parent: id,
      meta: { footnotes: '[{"id":"a","content":"n"}]', _seo_title: '' },
    });
  });

  test('lists are whole unless they are asked for by page', async () => {
    const id = await write({ content: 'c' });
    for (let n = 1; n <= 12; n += 1) await send('POST', `posts/${id}`, { content: `state ${n}` });
    expect(await texts(id)).toHaveLength(12);
    expect(await texts(id, '&per_page=2&page=2')).toEqual(['state 10', 'state 9']);
    expect(await texts(id, '&per_page=1&offset=1')).toEqual(['state 11']);
    expect(await texts(id, '&search=7')).toEqual(['state 7']);
    const refused = async (query: string) => (await send('GET', `posts/${id}/revisions?${query}`)).body['code'];
    expect(await refused('page=2')).toBe('rest_revision_invalid_page_number');
    expect(await refused('per_page=2&offset=12')).toBe('rest_revision_invalid_offset_number');
  });

  test('are for who may edit what they belong to', async () => {
    const id = await write({ content: 'c' }, 'author');
    await send('POST', `posts/${id}`, { content: 'd' }, 'author');
    expect((await send('GET', `posts/${id}/revisions`, undefined, 'author')).status).toBe(200);
    expect(await send('GET', `posts/${id}/revisions`, undefined, 'contributor')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_read' },
    });
    expect((await site.fetch(`/core/v2/posts/${id}/revisions`)).status).toBe(401);
    expect((await send('GET', `pages/${id}/revisions`)).body).toMatchObject({ code: 'rest_post_invalid_parent' });
  });

  test('one is deleted by who may delete its post, whatever post the path names', async () => {
    const own = await write({ content: 'c', status: 'publish' }, 'author');
    const foreign = await write({ content: 'c', status: 'publish' });
    for (const id of [own, foreign]) await send('POST', `posts/${id}`, { content: 'd' });
    const [revision] = (await send('GET', `posts/${foreign}/revisions`)).body;
    const path = (parent: number) => `posts/${parent}/revisions/${revision?.id}`;
    expect((await send('GET', path(own))).body).toMatchObject({ code: 'rest_revision_parent_id_mismatch' });
    expect((await send('DELETE', `${path(own)}?force=true`, undefined, 'author')).body).toMatchObject({
      code: 'rest_cannot_delete',
    });
    for (const method of ['GET', 'OPTIONS'])
      expect((await send(method, path(foreign))).headers.get('allow')).toBe('GET, DELETE');
    expect(await send('DELETE', path(foreign))).toMatchObject({ status: 501 });
    expect((await send('DELETE', `${path(foreign)}?force=true`)).body).toMatchObject({
      deleted: true,
      previous: { id: revision?.id },
    });
    expect((await send('GET', path(foreign))).status).toBe(404);
  });
});

describe('autosaves', () => {
  test('each user has one of a published post, and the post stays as it is', async () => {
    const id = await write({ content: 'Public', status: 'publish' });
    const save = async (body: object, as?: Role) => (await send('POST', `posts/${id}/autosaves`, body, as)).body;
    const first = await save({ content: 'typed' });
    expect(first).toMatchObject({
      parent: id,
      slug: `${id}-autosave-v1`,
      content: { raw: 'typed' },
      title: { raw: '' },
    });
    expect(first['preview_link']).toContain(`preview_id=${id}`);
    expect((await save({ content: 'typed on', status: 'draft' })).id).toBe(first.id);
    expect((await save({ content: 'Public' }))['content']).toMatchObject({ raw: 'typed on' });
    expect((await save({ title: 'By another' }, 'editor')).id).not.toBe(first.id);
    expect((await send('GET', `posts/${id}/autosaves`)).body).toHaveLength(2);
    expect((await send('GET', `posts/${id}?context=edit`)).body).toMatchObject({
      status: 'publish',
      content: { raw: 'Public' },
    });
  });

  test('whoever asks for the id of the parent gets its address too', async () => {
    const id = await write({ content: 'Public', status: 'publish' });
    const save = async (fields: string) =>
      (await send('POST', `posts/${id}/autosaves?_fields=${fields}`, { content: 'typed' })).body;
    const parent = [{ href: `${site.context.publicUrl}/rest/core/v2/posts/${id}` }];
    expect(await save('id,parent')).toEqual({ id: expect.any(Number), parent: id, _links: { parent } });
    expect(await save('id')).toEqual({ id: expect.any(Number) });
    const [listed] = (await send('GET', `posts/${id}/autosaves?_fields=parent`)).body;
    expect(listed).toEqual({ parent: id });
  });

  test('an own draft is saved in place, the draft of another is not', async () => {
    const id = await write({ content: 'Draft' }, 'author');
    const own = (await send('POST', `posts/${id}/autosaves`, { content: 'typed', status: 'publish' }, 'author')).body;
    expect(own).toMatchObject({ id, parent: 0, content: { raw: 'typed' } });
    expect((await send('GET', `posts/${id}?context=edit`)).body).toMatchObject({ status: 'draft' });
    const foreign = (await send('POST', `posts/${id}/autosaves`, { content: 'other' }, 'editor')).body;
    expect(foreign).toMatchObject({ parent: id });
  });

  test('what is typed is filtered as what is saved', async () => {
    const id = await write({ status: 'publish' }, 'author');
    const body = { content: '<script>x</script>', meta: { footnotes: '[{"id":"a","content":"<script>n</script>"}]' } };
    expect((await send('POST', `posts/${id}/autosaves`, body, 'author')).body).toMatchObject({
      content: { raw: 'x' },
      meta: { footnotes: '[{"id":"a","content":"n"}]' },
    });
  });

  test('without any, there is none', async () => {
    const id = await write({});
    expect((await send('GET', `posts/${id}/autosaves/1`)).body).toMatchObject({ code: 'rest_post_no_autosave' });
    expect((await send('POST', 'posts/999999/autosaves', { title: 'x' })).body).toMatchObject({
      code: 'rest_post_invalid_id',
    });
  });
});
