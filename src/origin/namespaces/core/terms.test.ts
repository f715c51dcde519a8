import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
const ids: Record<string, number> = {};

beforeAll(async () => {
  site = await openTestSite();
  ids['roofs'] = await site.addTerm({ name: 'Roofs', slug: 'roofs' });
  ids['flat'] = await site.addTerm({ name: 'Äußere Flachdächer', slug: 'flat', parentId: ids['roofs'] });
  ids['walls'] = await site.addTerm({ name: 'Walls', slug: 'walls', description: 'Of clay' });
  ids['news'] = await site.addTerm({ name: 'News', slug: 'news', taxonomy: 'post_tag' });
  ids['post'] = await site.addContent({}, [ids['flat'], ids['news']]);
  ids['second'] = await site.addContent({}, [ids['flat'], ids['walls']]);
  ids['draft'] = await site.addContent({ status: 'draft' }, [ids['roofs'], ids['walls']]);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

describe('lists', () => {
  test.each<[query: string, slugs: string[]]>([
    ['', ['flat', 'roofs', 'walls']],
    ['order=desc', ['walls', 'roofs', 'flat']],
    ['orderby=count&order=desc', ['flat', 'walls', 'roofs']],
    ['hide_empty=true', ['flat', 'walls']],
    ['parent={roofs}', ['flat']],
    ['parent=0', ['roofs', 'walls']],
    ['post={second}', ['flat', 'walls']],
    ['search=flachdach', ['flat']],
    ['search=aussere', ['flat']],
    ['slug=WALLS,nope', ['walls']],
    ['include={walls},{roofs}&orderby=include', ['walls', 'roofs']],
    ['exclude={walls}', ['flat', 'roofs']],
    ['page=9', []],
  ])('?%s', async (query, expected) => {
    const { status, body } = await site.fetch(`/core/v2/categories?${fill(query)}`);
    expect([status, (body as { slug: string }[]).map(({ slug }) => slug)]).toEqual([200, expected]);
  });

  test('tags know an offset', async () => {
    const { body, headers } = await site.fetch('/core/v2/tags?offset=1');
    expect([body, headers.get('x-wp-total')]).toEqual([[], '1']);
  });

  test.each([
    ['context=edit', 401, 'rest_forbidden_context'],
    ['post={draft}', 401, 'rest_forbidden_context'],
    ['post=9999', 400, 'rest_post_invalid_id'],
    ['orderby=weight', 400, 'rest_invalid_param'],
  ])('?%s is %i', async (query, status, code) => {
    expect(await site.fetch(`/core/v2/categories?${fill(query)}`)).toMatchObject({ status, body: { code } });
  });
});

test('a category with its path, its count of published posts, and its links', async () => {
  const { body } = await site.fetch(`/core/v2/categories/${ids['flat']}`);
  const rest = `${site.context.publicUrl}/rest/core/v2`;
  expect(body).toEqual({
    id: ids['flat'],
    count: 2,
    description: '',
    link: `${site.context.publicUrl}/category/roofs/flat/`,
    name: 'Äußere Flachdächer',
    slug: 'flat',
    taxonomy: 'category',
    parent: ids['roofs'],
    meta: [],
    _links: {
      self: [{ href: `${rest}/categories/${ids['flat']}`, targetHints: { allow: ['GET'] } }],
      collection: [{ href: `${rest}/categories` }],
      about: [{ href: `${rest}/taxonomies/category` }],
      up: [{ embeddable: true, href: `${rest}/categories/${ids['roofs']}` }],
      'wp:post_type': [{ href: `${rest}/posts?categories=${ids['flat']}` }],
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
    },
  });
});

test.each([
  ['/core/v2/tags/{news}', 200],
  ['/core/v2/tags/{walls}', 404],
  ['/core/v2/categories/9999', 404],
])('%s is %i', async (path, status) => {
  const answer = await site.fetch(fill(path));
  expect(answer.status).toBe(status);
  if (status === 404) expect(answer.body).toMatchObject({ code: 'rest_term_invalid' });
});
