import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { publishDuePosts } from './schedule/start-schedule.ts';

const LINK = '<!-- wp:navigation-link {"label":"Roof","url":"/roof/"} /-->';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const ask = async (path: string, as?: Role) => {
  const answer = await site.fetch(`/core/v2/${path}`, as ? { as } : {});
  return { ...answer, body: answer.body as Record<string, unknown> };
};
async function send(method: string, path: string, fields: object, as?: Role) {
  const headers = { 'content-type': 'application/json' };
  const request = { method, headers, body: JSON.stringify(fields), ...(as ? { as } : {}) };
  const answer = await site.fetch(`/core/v2/${path}`, request);
  return { ...answer, body: answer.body as Record<string, unknown> & { id: number } };
}
const add = async (fields: object) => {
  const { body } = await send('POST', 'navigation', { title: 'Menu', content: LINK, ...fields }, 'administrator');
  return body.id;
};

describe('a menu', () => {
  test('is written, changed, trashed and deleted by administrators, and keeps what it was', async () => {
    const made = await send('POST', 'navigation', { title: 'Main', content: LINK, status: 'publish' }, 'administrator');
    expect(made).toMatchObject({
      status: 201,
      body: { type: 'wp_navigation', slug: 'main', title: { raw: 'Main' }, content: { raw: LINK, block_version: 1 } },
    });
    const path = `navigation/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`${site.context.publicUrl}/rest/core/v2/${path}`);
    await send('PATCH', path, { content: `${LINK}${LINK}` }, 'administrator');
    await send('PATCH', path, { content: LINK }, 'administrator');
    expect((await ask(`${path}/revisions`, 'administrator')).body).toHaveLength(2);
    const draft = await send('POST', `${path}/autosaves`, { title: 'Main?' }, 'administrator');
    expect(draft.body).toMatchObject({ parent: made.body.id, title: { raw: 'Main?' } });
    expect(draft.body).not.toHaveProperty('excerpt');
    expect((await send('DELETE', path, {}, 'administrator')).body).toMatchObject({ status: 'trash' });
    expect((await ask(path)).status).toBe(401);
    expect((await send('DELETE', `${path}?force=true`, {}, 'administrator')).body).toMatchObject({ deleted: true });
    expect((await ask(path, 'administrator')).body['code']).toBe('rest_post_invalid_id');
  });

  test('has no page, no author and no comments', async () => {
    const id = await add({ status: 'publish' });
    const { body, headers } = await ask(`navigation/${id}`);
    expect(Object.keys(body)).toEqual(
      'id,date,date_gmt,guid,modified,modified_gmt,slug,status,type,link,title,content,template,_links'.split(','),
    );
    for (const relation of ['author', 'replies']) expect(body['_links']).not.toHaveProperty(relation);
    expect(headers.get('link')).not.toContain('alternate');
    expect((await ask(`posts/${id}`, 'administrator')).status).toBe(404);
    const comment = await send('POST', 'comments', { post: id, content: 'Nice' }, 'administrator');
    expect(comment.body['code']).toBe('rest_comment_closed');
    const mediaItem = await site.addContent({ type: 'attachment', status: 'inherit' });
    expect((await send('POST', `media/${mediaItem}`, { post: id }, 'administrator')).status).toBe(400);
  });

  test('has a slug that no other menu has, whatever posts and pages are called', async () => {
    await site.addContent({ slug: 'footer' });
    const slugs = [await add({ slug: 'footer' }), await add({ slug: 'footer' })].map(async (id) => {
      const { body } = await ask(`navigation/${id}?context=edit`, 'administrator');
      return body['slug'];
    });
    expect(await Promise.all(slugs)).toEqual(['footer', 'footer-2']);
  });

  test('is embedded with what it is made of, unless a password guards it', async () => {
    const open = await ask(`navigation/${await add({ status: 'publish' })}?context=embed`);
    expect(open.body).toMatchObject({ status: 'publish', title: { raw: 'Menu' }, content: { raw: LINK } });
    const guarded = await ask(`navigation/${await add({ status: 'publish', password: 'x' })}?context=embed`);
    expect(guarded.body['content']).toEqual({ rendered: '', protected: true });
    expect(guarded.text).not.toContain('navigation-link');
  });

  test('that is scheduled is published when it is due', async () => {
    const id = await add({ status: 'publish', date_gmt: '2040-01-01T00:00:00' });
    expect((await ask(`navigation/${id}`)).status).toBe(401);
    expect(await publishDuePosts(site.context, new Date('2040-01-01T00:00:01Z'))).toEqual([id]);
    expect((await ask(`navigation/${id}`)).status).toBe(200);
  });
});

describe('who may not change how the site looks', () => {
  test.each<[string, Role | undefined, number]>([
    ['a stranger', undefined, 401],
    ['a subscriber', 'subscriber', 403],
    ['an editor', 'editor', 403],
  ])('reads published menus and nothing else: %s', async (_, as, status) => {
    const published = await add({ status: 'publish' });
    const draft = await add({});
    expect((await ask(`navigation/${published}`, as)).status).toBe(200);
    const refused = [
      await ask(`navigation/${draft}`, as),
      await ask(`navigation/${published}?context=edit`, as),
      await ask('navigation?context=edit', as),
      await ask(`navigation/${published}/revisions`, as),
      await ask(`navigation/${published}/autosaves`, as),
      await send('POST', 'navigation', { title: 'Mine' }, as),
      await send('POST', `navigation/${published}`, { title: 'Mine' }, as),
      await send('POST', `navigation/${published}/autosaves`, { title: 'Mine' }, as),
      await send('DELETE', `navigation/${published}?force=true`, {}, as),
    ];
    expect(refused.map((answer) => answer.status)).toEqual(refused.map(() => status));
    expect((await ask('navigation?status=draft', as)).status).toBe(400);
    const listed = (await ask('navigation?per_page=100', as)).body as unknown as { id: number }[];
    expect(listed.map(({ id }) => id)).toContain(published);
    expect(listed.map(({ id }) => id)).not.toContain(draft);
  });

  test('is told so by Allow', async () => {
    const id = await add({ status: 'publish' });
    expect((await ask(`navigation/${id}`, 'editor')).headers.get('allow')).toBe('GET');
    expect((await ask(`navigation/${id}`, 'administrator')).headers.get('allow')).toContain('DELETE');
  });
});

test.each([
  [{ status: 'auto-draft' }, 'rest_invalid_param'],
  [{ template: 'none' }, 'rest_invalid_param'],
  [{ date: 'soon' }, 'rest_invalid_param'],
  [{ id: 7 }, 'rest_post_exists'],
  [{ title: '', content: '' }, 'empty_content'],
])('%j is refused', async (fields, code) => {
  const { status, body } = await send('POST', 'navigation', { title: 'Menu', ...fields }, 'administrator');
  expect({ status, code: body['code'] }).toEqual({ status: 400, code });
});

test('another menu can not be read as a revision', async () => {
  const [id, other] = [await add({}), await add({})];
  expect((await ask(`navigation/${id}/revisions/${other}`, 'administrator')).status).toBe(404);
});
