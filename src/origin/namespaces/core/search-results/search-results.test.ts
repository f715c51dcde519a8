import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  await site.addContent({ title: 'Tape for roofs', slug: 'tape', date: '2026-01-02 00:00:00' });
  const parentId = await site.addContent({ type: 'page', title: 'About', slug: 'about', content: 'All on tape' });
  await site.addContent({ type: 'page', title: 'Team', slug: 'team', parentId });
  await site.addContent({ title: 'A tape to come', status: 'draft' });
  await site.addContent({ title: 'Locked', content: 'tape', password: 'x' });
  await site.addContent({ type: 'attachment', title: 'Tape picture', status: 'inherit' });
  const above = await site.addTerm({ name: 'Tapes', slug: 'tapes' });
  await site.addTerm({ name: 'Wide tapes', slug: 'wide', parentId: above });
  await site.addTerm({ name: 'tape', slug: 'tape', taxonomy: 'post_tag' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const search = (query: string, request?: TestRequest) => site.fetch(`/core/v2/search?${query}`, request);
const found = async (query: string, as?: TestRequest['as']) =>
  ((await search(query, as ? { as } : {})).body as Record<string, unknown>[]).map(
    ({ type, subtype, title }) => `${String(subtype ?? type)}: ${String(title)}`,
  );

test('finds published posts and pages, the best first', async () => {
  expect(await found('search=tape')).toEqual(['post: Tape for roofs', 'page: About']);
  expect(await found('search=tape&subtype=page')).toEqual(['page: About']);
  expect(await found('search=team&subtype=post')).toEqual([]);
  expect(await found('search=tape', 'editor')).toContain('post: Locked');
});

test('tells where each leads and what may be done with it', async () => {
  const { body } = await search('search=team', { as: 'editor' });
  const root = `${site.context.publicUrl}/rest/core/v2`;
  expect(body).toMatchObject([
    {
      type: 'post',
      subtype: 'page',
      url: `${site.context.publicUrl}/about/team/`,
      _links: {
        self: [{ embeddable: true, targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }],
        about: [{ href: `${root}/types/page` }],
        collection: [{ href: `${root}/search` }],
      },
    },
  ]);
  expect((await search('search=team&_embed')).body).toMatchObject([{ _embedded: { self: [{ slug: 'team' }] } }]);
});

test('finds terms by name, and no formats', async () => {
  expect(await found('type=term&search=tape')).toEqual(['post_tag: tape', 'category: Tapes', 'category: Wide tapes']);
  expect(await found('type=term&subtype=post_tag')).toEqual(['post_tag: tape']);
  expect((await search('type=term&search=wide')).body).toMatchObject([
    { url: `${site.context.publicUrl}/category/tapes/wide/` },
  ]);
  expect(await found('type=post-format')).toEqual([]);
});

test('comes in pages', async () => {
  const { headers, body } = await search('per_page=1&page=2');
  expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['4', '4']);
  expect(headers.get('link')).toContain('rel="next"');
  expect(body).toHaveLength(1);
  expect((await search('page=9')).body).toMatchObject({ code: 'rest_search_invalid_page_number' });
  expect((await search('type=zzz')).body).toMatchObject({ code: 'rest_invalid_param' });
});
