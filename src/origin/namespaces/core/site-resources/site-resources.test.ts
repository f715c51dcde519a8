import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

test('kinds of content and of terms name their collections', async () => {
  expect((await site.fetch('/core/v2/types')).body).toMatchObject({
    post: { rest_base: 'posts', rest_namespace: 'core/v2', taxonomies: ['category', 'post_tag'] },
    page: { hierarchical: true },
    attachment: { rest_base: 'media' },
    wp_navigation: { rest_base: 'navigation', taxonomies: [] },
  });
  expect((await site.fetch('/core/v2/taxonomies/post_tag')).body).toMatchObject({
    rest_base: 'tags',
    types: ['post', 'podcast'],
  });
  expect((await site.fetch('/core/v2/types/nope')).body).toMatchObject({ code: 'rest_type_invalid' });
  expect((await site.fetch('/core/v2/taxonomies/nav_menu')).body).toMatchObject({ rest_base: 'menus' });
  expect((await site.fetch('/core/v2/wp_pattern_category')).body).toEqual([]);
  expect((await site.fetch('/core/v2/menus')).body).toMatchObject({ code: 'rest_cannot_view' });
  const { body: edited } = await site.fetch('/core/v2/taxonomies?context=edit', { as: 'contributor' });
  expect(Object.keys(edited as object)).toEqual(['category', 'post_tag', 'wp_pattern_category']);
  expect((await site.fetch('/core/v2/taxonomies/nope')).body).toMatchObject({ code: 'rest_taxonomy_invalid' });
});

test('strangers meet one status, writers all', async () => {
  expect(Object.keys((await site.fetch('/core/v2/statuses')).body as object)).toEqual(['publish']);
  expect(Object.keys((await site.fetch('/core/v2/statuses', { as: 'contributor' })).body as object)).toContain('trash');
  expect((await site.fetch('/core/v2/statuses/draft')).body).toMatchObject({ code: 'rest_cannot_read_status' });
});

test('editors learn what the site looks like', async () => {
  const { body } = await site.fetch('/core/v2/themes?status=active', { as: 'contributor' });
  expect(body).toMatchObject([
    {
      stylesheet: 'sortiment',
      status: 'active',
      theme_supports: { 'post-thumbnails': true, 'block-templates': false },
    },
  ]);
  expect((await site.fetch('/core/v2/themes?status=inactive', { as: 'editor' })).body).toEqual([]);
  expect((await site.fetch('/core/v2/themes', { as: 'subscriber' })).body).toMatchObject({
    code: 'rest_cannot_view_themes',
  });
  const { body: index } = await site.fetch('/?_fields=_links', { as: 'editor' });
  const [link] = (index as { _links: Record<string, { href: string }[]> })._links['wp:active-theme'] ?? [];
  expect(link?.href).toBe(`${site.context.publicUrl}/rest/core/v2/themes/sortiment`);
  expect((await site.fetch('/core/v2/themes/sortiment', { as: 'editor' })).body).toMatchObject({ status: 'active' });
  expect((await site.fetch('/core/v2/themes/other', { as: 'editor' })).status).toBe(404);
  expect((await site.fetch('/?_fields=_links')).body).not.toHaveProperty(['_links', 'wp:active-theme']);
});

test('settings are for administrators', async () => {
  expect((await site.fetch('/core/v2/settings', { as: 'editor' })).status).toBe(403);
  expect((await site.fetch('/core/v2/settings', { as: 'administrator' })).body).toMatchObject({
    title: 'Dach &amp; Wand',
    timezone: 'Europe/Berlin',
    email: 'administrator@origin.test',
  });
});

test('administrators change the settings that the origin keeps, and nothing else', async () => {
  const send = (body: object, as: 'administrator' | 'editor' = 'administrator') =>
    site.fetch('/core/v2/settings', {
      method: 'PATCH',
      as,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const usual = await site.addTerm({ name: 'Usual' });
  const changed = await send({
    title: 'New <b>name</b>',
    timezone: 'Europe/Paris',
    default_category: usual,
    email: 'x',
  });
  expect(changed.body).toMatchObject({
    title: 'New name',
    timezone: 'Europe/Paris',
    default_category: usual,
    email: 'administrator@origin.test',
  });
  expect((await site.fetch('')).body).toMatchObject({ name: 'New name', timezone_string: 'Europe/Paris' });
  expect((await send({ timezone: 'Mars/Olympus' })).status).toBe(400);
  expect((await send({ default_category: 99_999 })).status).toBe(400);
  expect((await send({ title: 'x' }, 'editor')).status).toBe(403);
});

test('icons are found by name, label and collection, by who writes', async () => {
  const names = async (path: string) => {
    const { body } = await site.fetch(`/core/v2/${path}`, { as: 'contributor' });
    return (body as { name: string }[]).map(({ name }) => name);
  };
  expect(await names('icons?search=ARROW UP')).toEqual(['core/arrow-up-left', 'core/arrow-up-right', 'core/arrow-up']);
  expect(await names('icons/core?search=half')).toEqual(['core/star-half']);
  expect(await names('icons?collection=core&search=(@)')).toEqual(['core/at-symbol']);
  const { body } = await site.fetch('/core/v2/icons/core/check', { as: 'contributor' });
  expect(body).toMatchObject({
    label: 'Check',
    content: expect.stringMatching(/^<svg [^>]*><path d="[^"]+"\/><\/svg>$/),
  });
  expect((await site.fetch('/core/v2/icons')).body).toMatchObject({ code: 'rest_cannot_view' });
});

test('icons come page by page where a page is asked for, and all at once otherwise', async () => {
  const list = async (path: string) => {
    const { body, headers } = await site.fetch(`/core/v2/${path}`, { as: 'contributor' });
    const totals = ['x-wp-total', 'x-wp-totalpages'].map((name) => headers.get(name));
    return { names: (body as { name: string }[]).map(({ name }) => name), totals, link: headers.get('link') ?? '' };
  };
  const all = await list('icons');
  expect([all.names.length, all.totals]).toEqual([88, [null, null]]);
  const second = await list('icons?per_page=3&page=2');
  expect(second).toMatchObject({ names: all.names.slice(3, 6), totals: ['88', '30'] });
  expect(second.link).toMatch(/page=1[^>]*>; rel="prev".*page=3[^>]*>; rel="next"/);
  expect((await list('icons?page=9')).names).toEqual(all.names.slice(80));
  expect((await list('icons/core?per_page=100')).names).toEqual(all.names);
  expect((await list('icons?per_page=2&search=arrow')).totals).toEqual(['8', '4']);
  expect((await list('icons?page=10')).names).toEqual([]);
  const collections = await site.fetch('/core/v2/icon-collections?per_page=1', { as: 'contributor' });
  expect(collections.headers.get('x-wp-total')).toBe('1');
});

test.each([
  ['icons/nope', 404, 'rest_icon_collection_not_found'],
  ['icons/core/nope', 404, 'rest_icon_not_found'],
  ['icon-collections/CORE', 404, 'rest_icon_collection_not_found'],
  ['icons?collection=-x', 400, 'rest_invalid_param'],
  ['icons?per_page=101', 400, 'rest_invalid_param'],
])('%s is %i', async (path, status, code) => {
  expect(await site.fetch(`/core/v2/${path}`, { as: 'contributor' })).toMatchObject({ status, body: { code } });
});

test('patterns are blocks that a post can be made of as they are', async () => {
  const { body } = await site.fetch('/core/v2/block-patterns/patterns', { as: 'editor' });
  const patterns = body as { name: string; content: string; categories: string[] }[];
  const categories = (await site.fetch('/core/v2/block-patterns/categories', { as: 'editor' })).body;
  expect(patterns.flatMap((pattern) => pattern.categories)).toEqual(
    (categories as { name: string }[]).map(({ name }) => name),
  );
  for (const { content } of patterns) {
    const post = await site.fetch('/core/v2/posts', {
      method: 'POST',
      as: 'contributor',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'x', content }),
    });
    expect(post.body).toMatchObject({ content: { raw: content, block_version: 1 } });
  }
});

test('the links of posts without comments lead somewhere', async () => {
  const [open, hidden] = [await site.addContent({}), await site.addContent({ status: 'draft' })];
  expect(await site.fetch(`/core/v2/comments?post=${open}`)).toMatchObject({ status: 200, body: [] });
  expect((await site.fetch(`/core/v2/comments?post=${hidden}`)).body).toMatchObject({ code: 'rest_cannot_read_post' });
  expect((await site.fetch('/core/v2/comments/1')).body).toMatchObject({ code: 'rest_comment_invalid_id' });
});
