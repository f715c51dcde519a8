import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { deleteOrphanedSettings } from './settings.ts';
import { seoObjectSettings } from './tables.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function send(method: string, path: string, body?: unknown, as?: Role) {
  const answer = await site.fetch(`/${path}`, {
    method,
    ...(as && { as }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

describe('settings of one thing', () => {
  it('are empty at first, and keep what was sent of them', async () => {
    const id = await site.addContent({ type: 'page', status: 'publish', slug: 'about', title: 'About', content: 'x' });
    const path = `seo/v1/settings/page/${id}`;
    expect(await send('GET', path, undefined, 'editor')).toMatchObject({
      status: 200,
      body: { type: 'page', id, title: '', index: 'default', nosnippet: false, seo_score: 0 },
    });
    const sent = {
      title: 'T',
      index: 'noindex',
      nosnippet: true,
      noarchive: true,
      is_cornerstone: true,
      og_image_id: 5,
    };
    await send('POST', path, sent, 'editor');
    await send('PATCH', path, { noarchive: false, canonical: 'https://example.org/a' }, 'editor');
    expect((await send('GET', path, undefined, 'editor')).body).toMatchObject({
      ...sent,
      noarchive: false,
      canonical: 'https://example.org/a',
    });
    await send('POST', path, { title: '', is_cornerstone: false }, 'editor');
    expect((await send('GET', path, undefined, 'editor')).body).toMatchObject({ title: '', is_cornerstone: false });
  });

  it('of posts are the meta that the core interface shows', async () => {
    const id = await site.addContent({ type: 'post', status: 'publish', slug: 'p', title: 'P', content: 'x' });
    await send('POST', `seo/v1/settings/post/${id}`, { title: 'Own', focus_keyphrase: 'tape' }, 'administrator');
    const { body } = await send('GET', `core/v2/posts/${id}`);
    expect(body['meta']).toEqual({ _seo_focuskw: 'tape', _seo_title: 'Own', _seo_metadesc: '', footnotes: '' });
    await send('POST', `core/v2/posts/${id}`, { meta: { _seo_metadesc: 'Said there.' } }, 'editor');
    const settings = await send('GET', `seo/v1/settings/post/${id}`, undefined, 'editor');
    expect(settings.body).toMatchObject({ title: 'Own', description: 'Said there.' });
  });

  it('belong to terms and users too', async () => {
    const id = await site.addTerm({ name: 'News' });
    await send('POST', `seo/v1/settings/category/${id}`, { title: 'All news' }, 'editor');
    expect((await send('GET', `seo/v1/settings/category/${id}`, undefined, 'editor')).body).toMatchObject({
      title: 'All news',
    });
    const own = `seo/v1/settings/user/${site.users.author}`;
    expect((await send('POST', own, { title: 'Me' }, 'author')).status).toBe(200);
    expect((await send('GET', own, undefined, 'administrator')).body).toMatchObject({ title: 'Me' });
  });

  it('that lead readers and search engines elsewhere are for editors', async () => {
    const own = await site.addContent({ type: 'post', status: 'publish', slug: 'own', authorId: site.users.author });
    for (const path of [`seo/v1/settings/post/${own}`, `seo/v1/settings/user/${site.users.author}`]) {
      expect((await send('POST', path, { title: 'Mine' }, 'author')).status).toBe(200);
      for (const barred of [{ redirect: 'https://x.test/' }, { canonical: 'https://x.test/' }, { index: 'noindex' }])
        expect((await send('POST', path, barred, 'author')).status, JSON.stringify(barred)).toBe(403);
    }
    expect((await send('POST', `seo/v1/settings/post/${own}`, { index: 'noindex' }, 'editor')).status).toBe(200);
  });

  it.each([
    ['canonical', 'javascript:alert(1)'],
    ['redirect', '//example.org'],
    ['og_image', 'data:image/png;base64,AAAA'],
    ['index', 'maybe'],
    ['page_type', 'Thing'],
    ['title', 'x'.repeat(501)],
    ['seo_score', 101],
    ['is_cornerstone', 'yes'],
  ])('refuse a %s that is none', async (name, value) => {
    const id = site.users.editor;
    const { status, body } = await send('POST', `seo/v1/settings/user/${id}`, { [name]: value }, 'administrator');
    expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys((body['data'] as { params: object }).params)).toEqual([name]);
  });

  it('say what an address has to look like', async () => {
    const path = `seo/v1/settings/user/${site.users.editor}`;
    const { body } = await send('POST', path, { canonical: 'example.org' }, 'administrator');
    expect(body['data']).toMatchObject({
      params: { canonical: 'canonical is not a web address such as https://example.org/.' },
    });
  });

  it('are for those who may edit the thing', async () => {
    const id = await site.addContent({ type: 'page', status: 'publish', slug: 'c', title: 'C', content: 'x' });
    const page = `seo/v1/settings/page/${id}`;
    expect((await send('GET', page)).status).toBe(401);
    expect((await send('GET', page, undefined, 'author')).status).toBe(403);
    expect((await send('POST', `seo/v1/settings/user/${site.users.editor}`, { title: 'x' }, 'author')).status).toBe(
      403,
    );
    expect((await send('GET', 'seo/v1/settings/category/1', undefined, 'author')).status).toBe(403);
    expect((await send('GET', 'seo/v1/settings/page/999999', undefined, 'editor')).status).toBe(404);
    expect((await send('GET', 'seo/v1/settings/recipe/1', undefined, 'author')).status).toBe(403);
    expect((await send('GET', 'seo/v1/settings/recipe/1', undefined, 'editor')).status).toBe(404);
  });
});

describe('what the heads of all pages follow', () => {
  const path = 'seo/v1/options';

  it('reaches the heads of pages whose editors have said nothing else', async () => {
    await site.addContent({ type: 'page', status: 'publish', slug: 'plain', title: 'Plain', content: 'x' });
    const sent = {
      separator: '|',
      templates: { page: { title: '%%title%% %%sep%% Ours', noindex: true } },
      verification: { google_site_verification: 'abc123' },
    };
    expect(await send('POST', path, sent, 'administrator')).toMatchObject({ status: 200, body: sent });
    const headOf = (address: string) => send('GET', `seo/v1/get_head?url=${site.context.publicUrl}${address}`);
    expect((await headOf('/plain/')).body['json']).toMatchObject({
      title: 'Plain | Ours',
      robots: { index: 'noindex' },
    });
    expect((await headOf('/')).body['json']).toMatchObject({ google_site_verification: 'abc123' });
    await send('POST', path, { templates: { post: { title: '%%title%%' } } }, 'administrator');
    const { body } = await send('GET', path, undefined, 'administrator');
    expect(body['templates']).toEqual({ ...sent.templates, post: { title: '%%title%%' } });
  });

  it('is for those who manage how the site is found, and takes nothing else', async () => {
    expect((await send('GET', path)).status).toBe(401);
    expect((await send('POST', path, { separator: '|' }, 'editor')).status).toBe(403);
    for (const wrong of [
      { separator: '<script>' },
      { templates: { page: { title: 'x'.repeat(501) } } },
      { templates: { page: { colour: 'red' } } },
      { templates: { '../etc': {} } },
      { templates: { posts: { title: 'x' } } },
      { og_default_image: 'javascript:alert(1)' },
      { verification: { somebody: 'x' } },
    ])
      expect(await send('POST', path, wrong, 'administrator'), JSON.stringify(wrong)).toMatchObject({ status: 400 });
  });
});

it('settings of a category are deleted after it', async () => {
  const { db } = site.context.store;
  const before = await db.$count(seoObjectSettings);
  const { body } = await send('POST', 'core/v2/categories', { name: 'Short-lived' }, 'administrator');
  const id = Number(body['id']);
  await send('POST', `seo/v1/settings/category/${id}`, { title: 'T' }, 'administrator');
  await deleteOrphanedSettings(db);
  expect(await db.$count(seoObjectSettings)).toBe(before + 1);
  await send('DELETE', `core/v2/categories/${id}?force=true`, undefined, 'administrator');
  await deleteOrphanedSettings(db);
  expect(await db.$count(seoObjectSettings)).toBe(before);
});
