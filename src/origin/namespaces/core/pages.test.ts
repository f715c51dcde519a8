import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
const ids: Record<string, number> = {};

beforeAll(async () => {
  site = await openTestSite();
  const add = async (name: string, row: Parameters<TestSite['addContent']>[0], parent?: string) => {
    const parentId = parent === undefined ? 0 : (ids[parent] ?? 0);
    ids[name] = await site.addContent({ type: 'page', slug: name, title: name, parentId, ...row });
  };
  await add('about', { menuOrder: 1, date: '2026-05-01 10:00:00' });
  await add('team', { menuOrder: 2, date: '2026-05-02 10:00:00' }, 'about');
  await add('roofers', { menuOrder: 1, date: '2026-05-03 10:00:00' }, 'team');
  await add('history', { menuOrder: 1, date: '2026-05-04 10:00:00' }, 'about');
  await add('legal', { menuOrder: 2, date: '2026-05-05 10:00:00' });
  await add('hidden', { status: 'draft', date: '2026-05-06 10:00:00' }, 'legal');
  await add('below', { date: '2026-05-07 10:00:00' }, 'hidden');
  await add('secret', { status: 'private', date: '2026-05-08 10:00:00' });
  await site.addContent({ title: 'A post among pages' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const names = (rows: unknown) =>
  (rows as { id: number }[]).map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
const list = (query: string, request: TestRequest = {}) =>
  site.fetch(`/core/v2/pages?per_page=50&${fill(query)}`, request);

describe('lists', () => {
  test.each<[query: string, names: string[]]>([
    ['', ['below', 'legal', 'history', 'roofers', 'team', 'about']],
    ['parent={about}', ['history', 'team']],
    ['parent=0', ['legal', 'about']],
    ['parent={about},{team}', ['history', 'roofers', 'team']],
    ['parent_exclude=0,{hidden}', ['history', 'roofers', 'team']],
    ['menu_order=1', ['history', 'roofers', 'about']],
    ['orderby=menu_order&order=asc&parent=0,{about}', ['about', 'history', 'team', 'legal']],
    ['menu_order=99999999999', []],
    ['slug=team', ['team']],
    ['sticky=true&format=aside&categories=9', ['below', 'legal', 'history', 'roofers', 'team', 'about']],
  ])('?%s', async (query, expected) => {
    expect(names((await list(query)).body)).toEqual(expected);
  });

  test('children stand behind their parents, with their level; pages are cut from that', async () => {
    const { body, headers } = await list('orderby_hierarchy=true&orderby=title&order=asc');
    expect((body as { id: number; level: number }[]).map(({ level }) => level)).toEqual([0, 1, 1, 2, 0, 2]);
    expect(names(body)).toEqual(['about', 'history', 'team', 'roofers', 'legal', 'below']);
    expect(headers.get('x-wp-total')).toBe('6');
    const second = await site.fetch('/core/v2/pages?orderby_hierarchy=1&orderby=title&order=asc&per_page=4&page=2');
    expect(names(second.body)).toEqual(['legal', 'below']);
    expect((await list('')).body).not.toMatchObject([{ level: 0 }]);
  });

  test.each<[TestRequest['as'], string, number]>([
    [undefined, 'status=draft', 400],
    ['author', 'status=draft', 400],
    ['editor', 'status=draft', 200],
    ['author', 'context=edit', 403],
    ['editor', 'context=edit', 200],
    [undefined, 'orderby_hierarchy=maybe', 400],
    [undefined, 'orderby=categories', 400],
  ])('%s asks for %s: %i', async (as, query, status) => {
    expect((await list(query, as ? { as } : {})).status).toBe(status);
  });
});

describe('items', () => {
  test('a page has its own fields, and none of a post', async () => {
    const { body } = await site.fetch(`/core/v2/pages/${ids['roofers']}`);
    expect(body).toMatchObject({
      type: 'page',
      parent: ids['team'],
      menu_order: 1,
      meta: { footnotes: '' },
      link: `${site.context.publicUrl}/about/team/roofers/`,
      class_list: [`post-${ids['roofers']}`, 'page', 'type-page', 'status-publish', 'hentry'],
      _links: { up: [{ embeddable: true, href: expect.stringContaining(`/pages/${ids['team']}`) }] },
    });
    for (const name of ['sticky', 'format', 'categories', 'tags', 'level']) expect(body).not.toHaveProperty(name);
  });

  test.each<[name: string, as: TestRequest['as'], status: number]>([
    ['hidden', undefined, 401],
    ['hidden', 'editor', 200],
    ['secret', 'author', 403],
    ['secret', 'editor', 200],
  ])('%s for %s is %i', async (name, as, status) => {
    expect((await site.fetch(`/core/v2/pages/${ids[name]}`, as ? { as } : {})).status).toBe(status);
  });

  test('drafts have no address of their own, pages below them still have one', async () => {
    const hidden = await site.fetch(`/core/v2/pages/${ids['hidden']}`, { as: 'editor' });
    expect(hidden.body).toMatchObject({ link: `${site.context.publicUrl}/?page_id=${ids['hidden']}` });
    const below = await site.fetch(`/core/v2/pages/${ids['below']}`);
    expect(below.body).toMatchObject({ link: `${site.context.publicUrl}/legal/hidden/below/` });
  });

  test('a post is no page', async () => {
    const { body } = await site.fetch('/core/v2/posts?_fields=id');
    const [post] = body as { id: number }[];
    expect(await site.fetch(`/core/v2/pages/${post?.id}`)).toMatchObject({ status: 404 });
  });
});
