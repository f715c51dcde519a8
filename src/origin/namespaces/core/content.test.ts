import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';
import { option } from '#origin/platform/store/schema.ts';

let site: TestSite;
/** IDs by short name, for use in test tables. */
const ids: Record<string, number> = {};
const terms: Record<string, number> = {};

beforeAll(async () => {
  site = await openTestSite();
  const { author, editor, contributor } = site.users;
  const news = (terms['news'] = await site.addTerm({ name: 'News' }));
  const releases = (terms['releases'] = await site.addTerm({ name: 'Releases', parentId: news }));
  const patches = (terms['patches'] = await site.addTerm({ name: 'Patches', parentId: releases }));
  const api = (terms['api'] = await site.addTerm({ name: 'API', taxonomy: 'post_tag' }));
  const data = (terms['data'] = await site.addTerm({ name: 'Data', taxonomy: 'post_tag' }));
  const add = async (name: string, row: Parameters<TestSite['addContent']>[0], termIds: number[] = []) => {
    ids[name] = await site.addContent({ slug: name, title: name, ...row }, termIds);
  };
  await add(
    'table',
    { title: 'Nutrient table', content: 'Barcodes of a product record', date: '2026-01-05 09:00:00' },
    [news, api, data],
  );
  await add('sticky', { title: 'Read first', sticky: true, date: '2026-01-06 09:00:00' }, [releases]);
  await add(
    'kit',
    { title: 'Kit', content: 'The nutrient table of <b>products</b>', excerpt: 'By hand', date: '2026-02-01 12:00:00' },
    [releases, patches, data],
  );
  await add('aside', { format: 'aside', authorId: author, date: '2026-02-03 07:15:00', title: '100%_sure' });
  await add('apfel', { title: 'Äpfel & Öl', date: '2026-06-15 12:00:00', dateGmt: '2026-06-15 10:00:00' });
  await add('locked', {
    content: 'Secret words',
    excerpt: 'Secret excerpt',
    password: 'open',
    date: '2026-06-18 12:00:00',
  });
  await add('private', { status: 'private', authorId: editor, date: '2026-06-19 12:00:00' });
  await add('draft', { status: 'draft', authorId: author, dateGmt: null, date: '2026-07-01 12:00:00', slug: '' });
  await add('pending', {
    status: 'pending',
    authorId: contributor,
    dateGmt: null,
    date: '2026-07-02 12:00:00',
    slug: '',
  });
  await add('future', { status: 'future', date: '2031-01-01 00:00:00' });
  await add('trash', { status: 'trash', date: '2026-03-01 00:00:00' });
  await site.addContent({ type: 'revision', status: 'inherit', parentId: ids['kit'] ?? 0, title: 'old' });
  ids['revision'] = await site.addContent({
    type: 'revision',
    status: 'inherit',
    parentId: ids['kit'] ?? 0,
    title: 'old',
  });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

type Row = Record<string, unknown>;
const names = (rows: unknown) => (rows as { id: number }[]).map(({ id }) => nameOf(id));
const nameOf = (id: number) => Object.keys(ids).find((name) => ids[name] === id);
/** Replaces `{name}` by its ID. */
const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? terms[name]));
const list = (query: string, request: TestRequest = {}) =>
  site.fetch(`/core/v2/posts?_fields=id&per_page=50&${fill(query)}`, request);
const read = (name: string, query = '', request: TestRequest = {}) =>
  site.fetch(`/core/v2/posts/${ids[name]}?${query}`, request);

const PUBLISHED = ['locked', 'apfel', 'aside', 'kit', 'sticky', 'table'];

describe('lists', () => {
  test.each<[query: string, names: string[]]>([
    ['', PUBLISHED],
    ['order=asc', PUBLISHED.toReversed()],
    ['include={table},{kit}', ['kit', 'table']],
    ['include[]={table}&include[]={kit}&orderby=include', ['table', 'kit']],
    ['include={table}&exclude={table}', ['table']],
    ['include=0', []],
    ['include={draft},{table}', ['table']],
    ['exclude={locked},{apfel}', PUBLISHED.slice(2)],
    ['offset=-4', ['sticky', 'table']],
    ['offset=99', []],
    ['slug=KIT,Ap%C3%A4fel,apfel', ['apfel', 'kit']],
    ['slug=kit,table&orderby=include_slugs', ['kit', 'table']],
    ['slug=', PUBLISHED],
    ['author=999', []],
    ['search=BARCODES', ['table']],
    ['search=%22nutrient+table%22', ['kit', 'table']],
    ['search=nutrient+-barcodes', ['kit']],
    ['search=nutrient,zebra', []],
    ['search=apfel+ol', ['apfel']],
    ['search=%25_', ['aside']],
    ['search=hand', ['kit']],
    ['search=hand&search_columns=post_title,post_content', []],
    ['search=secret', []],
    ['search=%22nutrient+table%22&search_semantics=exact', ['table']],
    ['search=nutrient&search_semantics=exact', []],
    ['search=nutrient+table&orderby=relevance', ['table', 'kit']],
    ['search=nutrient&orderby=relevance&order=asc', ['table', 'kit']],
    ['after=2026-06-15T12:00:00', ['locked']],
    ['after=2026-06-15T09:59:59Z', ['locked', 'apfel']],
    ['after=2026-06-15T12:00:00%2B02:00', ['locked']],
    ['before=2026-01-06%2009:00:00', ['table']],
    ['modified_before=2026-01-06T09:00:00.5', ['table']],
    ['categories={news}', ['table']],
    ['categories={news},{patches}', ['kit', 'table']],
    ['categories[terms]={news}&categories[include_children]=true', ['kit', 'sticky', 'table']],
    ['categories[terms]={releases},{patches}&categories[operator]=AND', ['kit']],
    ['categories[terms]=', PUBLISHED],
    ['categories_exclude[terms]={news}&categories_exclude[include_children]=1', ['locked', 'apfel', 'aside']],
    ['tags={data}&categories={patches}', ['kit']],
    ['tags={api}&categories={patches}&tax_relation=OR', ['kit', 'table']],
    ['tags_exclude={data}', ['locked', 'apfel', 'aside', 'sticky']],
    ['categories=9999', []],
    ['sticky=true', ['sticky']],
    ['sticky=1&include={kit}', []],
    ['sticky=false', PUBLISHED.filter((name) => name !== 'sticky')],
    ['format=aside', ['aside']],
    ['format=standard,aside&categories={news}', ['table']],
    ['orderby=title&order=asc&include={apfel},{kit},{table}', ['apfel', 'kit', 'table']],
    ['orderby=slug&order=asc&include={sticky},{kit}', ['kit', 'sticky']],
  ])('?%s', async (query, expected) => {
    const { status, body } = await list(query);
    expect([status, names(body)]).toEqual([200, expected]);
  });

  test('leaving out an author goes before asking for one', async () => {
    const { author } = site.users;
    expect(names((await list(`author=${author}`)).body)).toEqual(['aside']);
    expect(names((await list(`author=${author}&author_exclude=${author}`)).body)).not.toContain('aside');
  });

  test.each([
    ['page=9', 'rest_post_invalid_page_number'],
    ['orderby=include', 'rest_orderby_include_missing_include'],
    ['orderby=relevance', 'rest_no_search_term_defined'],
  ])('?%s is refused: %s', async (query, code) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code, data: { status: 400 } } });
  });

  test.each([
    ['categories=news', 'categories', 'rest_no_matching_schema', { position: 0 }],
    ['categories[terms]=2&categories[operator]=NOT', 'categories', 'rest_no_matching_schema', { position: 1 }],
    ['categories[terms]=2&categories[foo]=1', 'categories', 'rest_no_matching_schema', { position: 1 }],
    ['tags[terms]=2&tags[include_children]=1', 'tags', 'rest_no_matching_schema', { position: 1 }],
    ['tags_exclude[terms]=2&tags_exclude[operator]=OR', 'tags_exclude', 'rest_no_matching_schema', { position: 1 }],
    ['categories=', 'categories', 'rest_one_of_multiple_matches', { positions: [0, 1] }],
    ['categories[]=', 'categories', 'rest_no_matching_schema', null],
    ['after=2026-06-15', 'after', 'rest_invalid_date', null],
    ['after=2026-13-01T00:00:00', 'after', 'rest_invalid_date', null],
    ['after[]=x', 'after', 'rest_invalid_type', { param: 'after' }],
    ['include=1,a', 'include', 'rest_invalid_type', { param: 'include[1]' }],
    ['sticky=yes', 'sticky', 'rest_invalid_type', { param: 'sticky' }],
    ['format=poem', 'format', 'rest_not_in_enum', null],
    ['format=aside,aside', 'format', 'rest_duplicate_items', null],
    ['order=ASC', 'order', 'rest_not_in_enum', null],
    ['per_page=101', 'per_page', 'rest_out_of_bounds', null],
    ['search[]=x', 'search', 'rest_invalid_type', { param: 'search' }],
    ['status=draft', 'status', 'rest_forbidden_status', { status: 401 }],
    ['status=nonsense', 'status', 'rest_forbidden_status', { status: 401 }],
  ])('?%s is not valid', async (query, parameter, code, data) => {
    const { status, body } = await site.fetch(`/core/v2/posts?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { [parameter]: expect.any(String) }, details: { [parameter]: { code, data } } },
    });
  });

  test('sticky posts come first on request, beyond the page, whatever else was asked', async () => {
    const first = await list('ignore_sticky=false&per_page=2');
    expect(names(first.body)).toEqual(['sticky', 'locked', 'apfel']);
    expect(first.headers.get('x-wp-total')).toBe('6');
    expect(names((await list('ignore_sticky=false&per_page=2&page=2')).body)).toEqual(['aside', 'kit']);
    expect(names((await list('ignore_sticky=false&slug=kit')).body)).toEqual(['sticky', 'kit']);
    expect(names((await list('ignore_sticky=false&categories={news}')).body)).toEqual(['table']);
    expect(names((await list('ignore_sticky=false&exclude={sticky}&per_page=1')).body)).toEqual(['locked']);
  });

  test('an offset beyond the end has no rows and no total', async () => {
    const { headers } = await list('offset=99');
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['0', '0']);
  });

  test('a page beyond an empty list is empty, and links back before its beginning', async () => {
    const { status, body, headers } = await list('search=zzzz&page=3');
    expect([status, body]).toEqual([200, []]);
    expect(headers.get('link')).toMatch(/[?&]page=0>; rel="prev"$/);
  });

  test('links repeat the request as it was understood', async () => {
    const { headers } = await site.fetch('/core/v2/posts?per_page=1&sticky=false&search=+&slug=&format[]=standard');
    expect(headers.get('link')).toBe(
      `<${site.context.publicUrl}/rest/core/v2/posts?per_page=1&sticky&search&format%5B0%5D=standard&page=2>; rel="next"`,
    );
  });
});

describe('statuses', () => {
  test.each<[TestRequest['as'], string, string[] | number, number?]>([
    ['contributor', 'draft', [], 0],
    ['author', 'draft', ['draft'], 1],
    ['author', 'private', [], 0],
    ['editor', 'private', ['private'], 1],
    ['editor', 'draft,pending', ['pending', 'draft'], 2],
    ['editor', 'any', ['future', 'pending', 'draft', 'private', ...PUBLISHED], 10],
    ['editor', 'trash', ['trash'], 1],
    ['subscriber', 'draft', 400],
    ['editor', 'nonsense', 400],
  ])('%s asks for %s', async (as, status, expected, total) => {
    const answer = await list(`status=${status}`, as ? { as } : {});
    if (typeof expected === 'number') expect(answer.status).toBe(expected);
    else expect([names(answer.body), answer.headers.get('x-wp-total')]).toEqual([expected, String(total)]);
  });

  test('rows the caller may not edit are left out under context=edit, of the total too', async () => {
    const { body, headers } = await list('status=any&context=edit', { as: 'author' });
    expect([names(body), headers.get('x-wp-total')]).toEqual([['draft', 'aside'], '2']);
    expect(await list('context=edit')).toMatchObject({ status: 401, body: { code: 'rest_forbidden_context' } });
    expect((await list('context=edit')).headers.get('allow')).toBeNull();
  });
});

describe('items', () => {
  test.each<[name: string, as: TestRequest['as'], query: string, status: number, code?: string]>([
    ['table', undefined, '', 200],
    ['table', undefined, 'context=edit', 401, 'rest_forbidden_context'],
    ['table', 'author', 'context=edit', 403, 'rest_forbidden_context'],
    ['aside', 'author', 'context=edit', 200],
    ['draft', undefined, '', 401, 'rest_forbidden'],
    ['draft', 'contributor', '', 403, 'rest_forbidden'],
    ['draft', 'author', '', 200],
    ['pending', 'contributor', '', 200],
    ['private', 'author', '', 403, 'rest_forbidden'],
    ['private', 'editor', '', 200],
    ['trash', 'subscriber', '', 403, 'rest_forbidden'],
    ['trash', 'administrator', '', 200],
    ['revision', 'editor', '', 404, 'rest_post_invalid_id'],
    ['locked', undefined, 'password=wrong', 403, 'rest_post_incorrect_password'],
    ['locked', 'administrator', 'password=wrong', 403, 'rest_post_incorrect_password'],
    ['table', undefined, 'password=x', 403, 'rest_post_incorrect_password'],
    ['locked', undefined, 'password=', 200],
    ['table', undefined, 'context=full', 400, 'rest_invalid_param'],
  ])('%s for %s with "%s" is %i', async (name, as, query, status, code) => {
    const answer = await read(name, query, as ? { as } : {});
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.body).toMatchObject({ code });
  });

  test('unknown IDs are rejected before authorization', async () => {
    for (const id of [0, 999_999]) {
      const answer = await site.fetch(`/core/v2/posts/${id}`);
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
    }
  });

  test('everything the public sees, in wire order', async () => {
    const { body, headers } = await read('kit');
    const home = site.context.publicUrl;
    expect(Object.keys(body as Row)).toEqual(
      'id,date,date_gmt,guid,modified,modified_gmt,slug,status,type,link,title,content,excerpt,author,featured_media,comment_status,ping_status,sticky,template,format,meta,categories,tags,class_list,_links'.split(
        ',',
      ),
    );
    expect(body).toMatchObject({
      date: '2026-02-01T12:00:00',
      slug: 'kit',
      link: `${home}/kit/`,
      content: { rendered: '<p>The nutrient table of <b>products</b></p>\n', protected: false },
      excerpt: { rendered: '<p>By hand</p>\n', protected: false },
      format: 'standard',
      meta: { _seo_focuskw: '', _seo_title: '', _seo_metadesc: '', footnotes: '' },
      categories: [terms['patches'], terms['releases']],
      tags: [terms['data']],
      class_list: [
        `post-${ids['kit']}`,
        'post',
        'type-post',
        'status-publish',
        'format-standard',
        'hentry',
        'category-patches',
        'category-releases',
        'tag-data',
      ],
    });
    expect(headers.get('link')).toBe(`<${home}/kit/>; rel="alternate"; type=text/html`);
  });

  test('links lead to what belongs to it', async () => {
    const { body } = await read('kit', '_fields=_links');
    const rest = `${site.context.publicUrl}/rest/core/v2`;
    const id = ids['kit'];
    expect((body as Row)['_links']).toMatchObject({
      self: [{ href: `${rest}/posts/${id}`, targetHints: { allow: ['GET'] } }],
      collection: [{ href: `${rest}/posts` }],
      author: [{ embeddable: true, href: `${rest}/users/${site.users.editor}` }],
      'version-history': [{ count: 2, href: `${rest}/posts/${id}/revisions` }],
      'predecessor-version': [{ id: ids['revision'], href: `${rest}/posts/${id}/revisions/${ids['revision']}` }],
      'wp:attachment': [{ href: `${rest}/media?parent=${id}` }],
      'wp:term': [{ taxonomy: 'category', embeddable: true }, { taxonomy: 'post_tag' }],
      curies: [{ name: 'wp', templated: true }],
    });
  });

  test('editors see what is stored, and what they could do', async () => {
    const { body } = await read('locked', 'context=edit', { as: 'editor' });
    expect(body).toMatchObject({
      password: 'open',
      guid: { raw: '' },
      title: { raw: 'locked' },
      content: { raw: 'Secret words', rendered: '<p>Secret words</p>\n', protected: true, block_version: 0 },
      excerpt: { raw: 'Secret excerpt' },
      generated_slug: 'locked',
      permalink_template: `${site.context.publicUrl}/%postname%/`,
    });
    const actions = Object.keys((body as { _links: Row })._links).filter((relation) => relation.includes('action'));
    expect(actions.map((relation) => relation.slice('wp:action-'.length))).toEqual([
      'publish',
      'unfiltered-html',
      'sticky',
      'assign-author',
      'create-categories',
      'assign-categories',
      'create-tags',
      'assign-tags',
    ]);
    const own = await read('pending', 'context=edit&_fields=_links', { as: 'contributor' });
    expect(JSON.stringify(own.body).match(/wp:action-[\w-]+/g)).toEqual([
      'wp:action-assign-categories',
      'wp:action-create-tags',
      'wp:action-assign-tags',
    ]);
  });

  test('a password opens content and excerpt, also in lists', async () => {
    const shown = { content: { rendered: '<p>Secret words</p>\n' }, excerpt: { rendered: '<p>Secret excerpt</p>\n' } };
    const hidden = { content: { rendered: '', protected: true }, excerpt: { rendered: '', protected: true } };
    expect((await read('locked')).body).toMatchObject(hidden);
    expect((await read('locked', '', { as: 'administrator' })).body).toMatchObject(hidden);
    expect((await read('locked', 'password=open')).body).toMatchObject(shown);
    const listed = await site.fetch(fill('/core/v2/posts?include={locked}&password=open'));
    expect(listed.body).toMatchObject([shown]);
  });

  test('class names say that there is a password, to those who know it too', async () => {
    for (const [query, as] of [
      ['', undefined],
      ['password=open', undefined],
      ['context=edit', 'editor'],
    ] as const) {
      const { body } = await read('locked', query, as ? { as } : {});
      expect((body as Row)['class_list']).toContain('post-password-required');
    }
    expect(((await read('table')).body as Row)['class_list']).not.toContain('post-password-required');
  });

  test('the length of a generated excerpt, also in lists', async () => {
    const cut = { excerpt: { rendered: '<p>Barcodes of [&hellip;]</p>\n' } };
    expect((await read('table', 'excerpt_length=2')).body).toMatchObject(cut);
    expect((await site.fetch(fill('/core/v2/posts?include={table}&excerpt_length=2'))).body).toMatchObject([cut]);
    expect((await read('table', 'excerpt_length=abc')).status).toBe(400);
  });

  test.each([
    ['draft', '/?p={draft}', 'author', '2026-07-01T10:00:00'],
    ['future', '/?p={future}', 'editor', '2031-01-01T00:00:00'],
    ['private', '/private/', 'editor', '2026-06-19T12:00:00'],
    ['apfel', '/apfel/', undefined, '2026-06-15T10:00:00'],
  ] as const)('%s is found at %s', async (name, link, as, dateGmt) => {
    const { body } = await read(name, '', as ? { as } : {});
    expect(body).toMatchObject({ link: site.context.publicUrl + fill(link), date_gmt: dateGmt });
  });

  test('embedded rows', async () => {
    const { body } = await read('kit', '_embed');
    expect(body).toMatchObject({
      _embedded: {
        author: [{ id: site.users.editor, name: 'editor' }],
        'wp:term': [[{ name: 'Patches' }, { name: 'Releases' }], [{ name: 'Data' }]],
      },
    });
  });
});

test('addresses of the site are those it has now', async () => {
  const value = { name: 'x', description: '', timezone: 'UTC', url: 'http://old.test' };
  await site.context.store.db.update(option).set({ value });
  const id = await site.addContent({
    slug: 'moved',
    content: '<p><a href="http://old.test/a/">a</a> http://old.test.example/</p>',
    guid: 'http://old.test/?p=1',
  });
  const home = site.context.publicUrl;
  const { body } = await site.fetch(`/core/v2/posts/${id}?context=edit`, { as: 'editor' });
  expect(body).toMatchObject({
    guid: { rendered: `${home}/?p=1` },
    link: `${home}/moved/`,
    content: { raw: expect.stringContaining(`"${home}/a/">a</a> http://old.test.example/`) },
  });
});
