import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { content, option, outbox } from '#origin/platform/store/schema.ts';

let site: TestSite;
let news = 0;
let usual = 0;
let tag = 0;

beforeAll(async () => {
  site = await openTestSite();
  usual = await site.addTerm({ name: 'Usual' });
  news = await site.addTerm({ name: 'News' });
  tag = await site.addTerm({ name: 'Roof', taxonomy: 'post_tag' });
  const value = {
    name: 'Roof',
    description: '',
    timezone: 'Europe/Berlin',
    url: site.context.publicUrl,
    default_category: usual,
  };
  await site.context.store.db.update(option).set({ value }).where(eq(option.name, 'site'));
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());
beforeEach(() => site.context.store.db.delete(outbox));

interface Body extends Record<string, unknown> {
  id: number;
  slug: string;
  status: string;
  code?: string;
}

async function send(method: string, path: string, body: unknown, as: Role = 'administrator') {
  const headers = { 'content-type': 'application/json' };
  const answer = await site.fetch(`/core/v2/${path}`, { method, as, headers, body: JSON.stringify(body) });
  return { ...answer, body: answer.body as Body };
}
const write = async (fields: object, as?: Role) => (await send('POST', 'posts', { title: 'T', ...fields }, as)).body;
const change = async (id: number, fields: object, as?: Role) => (await send('POST', `posts/${id}`, fields, as)).body;
const shared = async (parent: number) =>
  (await send('POST', 'pages', { title: 'Shared', status: 'publish', parent })).body;
const events = async () =>
  (await site.context.store.db.select().from(outbox)).flatMap(({ payload }) => payload['changes'] as object[]);

describe('creating', () => {
  test('a post is a draft of the caller, in the usual category, and has an address', async () => {
    const { status, headers, body } = await send('POST', 'posts', { title: '  A title  ' }, 'author');
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${site.context.publicUrl}/rest/core/v2/posts/${body.id}`);
    expect(headers.get('allow')).toBe('GET, POST');
    expect(body).toMatchObject({
      status: 'draft',
      slug: '',
      author: site.users.author,
      title: { raw: 'A title', rendered: 'A title' },
      categories: [usual],
      comment_status: 'open',
      guid: { raw: `${site.context.publicUrl}/?p=${body.id}` },
    });
  });

  test('what is answered is what is read afterwards, whatever was sent', async () => {
    const odd = 'Ä \uD83C half, "quotes" </script> \\ \u2028';
    const { body: parent } = await send('POST', 'pages', { title: 'Above', status: 'publish' });
    for (const [path, fields] of [
      ['posts', { title: odd, content: `<p>${odd}</p>`, excerpt: odd, slug: odd, status: 'publish', tags: [tag, tag] }],
      ['posts', { title: 'A', date: '9999-12-31T23:59:59', categories: [news, usual], format: 'quote', sticky: true }],
      ['posts', { title: 'A', date_gmt: '1000-01-01T00:00:00', categories: [], meta: { footnotes: '[]' } }],
      ['posts', { title: '2', status: 'publish', date: '2026-03-29T02:30:00' }],
      ['pages', { title: 'feed', status: 'publish', parent: parent.id, menu_order: -3, template: '', password: ' p ' }],
    ] as const) {
      const created = await send('POST', path, fields);
      expect(created.status).toBe(201);
      const { body } = await site.fetch(`/core/v2/${path}/${created.body.id}?context=edit`, { as: 'administrator' });
      expect(created.body).toEqual(body);
    }
  });

  test('an invalid row reserves no ID', async () => {
    const first = await write({});
    for (const fields of [{ title: '' }, { parent: 999_999 }, { author: 999_999 }, { status: 'publish' }]) {
      const path = 'parent' in fields ? 'pages' : 'posts';
      const { status } = await send(
        'POST',
        path,
        { title: 'T', ...fields },
        'author' in fields ? 'administrator' : 'contributor',
      );
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect((await write({})).id).toBe(first.id + 1);
  });

  test('everything that may be set', async () => {
    const fields = {
      content: '<!-- wp:paragraph --><p>C</p><!-- /wp:paragraph -->',
      excerpt: 'E',
      status: 'publish',
      date: '2026-07-01T08:00:00',
      slug: 'All Set!',
      author: site.users.editor,
      format: 'quote',
      sticky: true,
      categories: [news, 999_999],
      tags: [tag, news],
      meta: { _seo_title: ' <b>S</b> ', nope: 'x' },
      comment_status: 'closed',
    };
    expect(await write(fields)).toMatchObject({
      slug: 'all-set',
      date_gmt: '2026-07-01T06:00:00',
      modified: '2026-07-01T08:00:00',
      author: site.users.editor,
      format: 'quote',
      sticky: true,
      categories: [news],
      tags: [tag],
      meta: { _seo_title: 'S', footnotes: '' },
      comment_status: 'closed',
      link: `${site.context.publicUrl}/all-set/`,
    });
  });

  test('a page has its place and its template', async () => {
    const parent = (await send('POST', 'pages', { title: 'Top', status: 'publish' })).body;
    const { body } = await send('POST', 'pages', {
      title: 'Below',
      status: 'publish',
      parent: parent.id,
      menu_order: -3,
      template: 'page-no-title',
      sticky: true,
    });
    expect(body).toMatchObject({
      parent: parent.id,
      menu_order: -3,
      template: 'page-no-title',
      comment_status: 'closed',
    });
    expect(body['link']).toBe(`${site.context.publicUrl}/top/below/`);
    expect(body).not.toHaveProperty('sticky');
  });

  test.each([
    ['nothing in it', {}, 'empty_content', 400],
    ['only a zero', { title: '0' }, 'empty_content', 400],
    ['an id', { id: 5, title: 'x' }, 'rest_post_exists', 400],
    ['an unknown author', { title: 'x', author: 99_999 }, 'rest_invalid_author', 400],
    ['sticky behind a password', { title: 'x', sticky: true, password: 'p' }, 'rest_invalid_field', 400],
    ['the trash as status', { title: 'x', status: 'trash' }, 'rest_invalid_param', 400],
    ['a template that the theme lacks', { title: 'x', template: 'no' }, 'rest_invalid_param', 400],
    ['a password longer than any', { title: 'x', password: 'p'.repeat(256) }, 'rest_invalid_param', 400],
    ['meta that is no map', { title: 'x', meta: 'm' }, 'rest_invalid_param', 400],
    ['a value of meta that is no text', { title: 'x', meta: { _seo_title: 5 } }, 'rest_invalid_type', 400],
  ])('%s is refused', async (_, fields, code, status) => {
    expect(await send('POST', 'posts', fields)).toMatchObject({ status, body: { code } });
  });

  test.each<[Role, object, string]>([
    ['contributor', { status: 'publish' }, 'rest_cannot_publish'],
    ['contributor', { sticky: true }, 'rest_cannot_assign_sticky'],
    ['contributor', { author: 1 }, 'rest_cannot_edit_others'],
    ['subscriber', {}, 'rest_cannot_create'],
  ])('%s: %o', async (as, fields, code) => {
    expect(await send('POST', 'posts', { title: 'x', ...fields }, as)).toMatchObject({ status: 403, body: { code } });
  });

  test('HTML is filtered for users without the right to unfiltered HTML', async () => {
    const html = '<p onclick="x()">Hi <script>alert(1)</script></p>';
    const raw = async (as: Role) => (await write({ content: html }, as))['content'];
    expect(await raw('author')).toMatchObject({ raw: '<p>Hi alert(1)</p>' });
    expect(await raw('editor')).toMatchObject({ raw: html });
  });

  test('read-only fields are ignored', async () => {
    const row = await write({ link: 'http://x', type: 'page', guid: 'x', statusBeforeTrash: 'publish', mimeType: 'x' });
    const [stored] = await site.context.store.db.select().from(content).where(eq(content.id, row.id));
    expect(stored).toMatchObject({ type: 'post', statusBeforeTrash: '', mimeType: '' });
  });
});

describe('slugs', () => {
  test('are made from titles and told apart, drafts included', async () => {
    const slugs = [
      (await write({ title: 'Über Straße', status: 'publish' })).slug,
      (await write({ title: 'Über Straße', status: 'publish' })).slug,
      (await write({ title: 'x', status: 'draft', slug: 'uber-strase' })).slug,
    ];
    expect(slugs).toEqual(['uber-strase', 'uber-strase-2', 'uber-strase-3']);
  });

  test.each([
    ['2026', '2026-2'],
    ['feed', 'feed-2'],
    ['!!!', 'falls-back'],
  ])('%s becomes %s', async (slug, expected) => {
    expect((await write({ title: 'Falls back', slug, status: 'publish' })).slug).toBe(expected);
  });

  test('one that nothing can be made of is the id', async () => {
    const row = await write({ title: '', content: 'c', status: 'publish' });
    expect(row.slug).toBe(`${row.id}-2`);
  });

  test('a long one is cut, and cut further for its number', async () => {
    const first = (await write({ slug: 'x'.repeat(250), status: 'publish' })).slug;
    const second = (await write({ slug: 'x'.repeat(250), status: 'publish' })).slug;
    expect([first, second]).toEqual(['x'.repeat(200), `${'x'.repeat(198)}-2`]);
  });

  test('pages share theirs with posts, and with pages below another one', async () => {
    await write({ title: 'Shared', status: 'publish' });
    const top = await shared(0);
    expect([top.slug, (await shared(top.id)).slug, (await shared(top.id)).slug]).toEqual([
      'shared',
      'shared',
      'shared-2',
    ]);
  });
});

describe('updating', () => {
  test('POST, PUT and PATCH change what is sent and nothing else', async () => {
    const { id } = await write({ title: 'Before', content: 'Body', status: 'publish' });
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const { status, body } = await send(method, `posts/${id}`, { title: method });
      expect(status).toBe(200);
      expect(body).toMatchObject({ title: { raw: method }, content: { raw: 'Body' }, slug: 'before' });
    }
  });

  test('a post goes from hand to hand', async () => {
    const { id } = await write({ status: 'pending' }, 'contributor');
    expect(await change(id, { status: 'publish' }, 'contributor')).toMatchObject({ code: 'rest_cannot_publish' });
    expect(await change(id, { status: 'publish' }, 'editor')).toMatchObject({ status: 'publish' });
    expect(await change(id, { title: 'x' }, 'contributor')).toMatchObject({ code: 'rest_cannot_edit' });
    expect(await change(id, { author: site.users.author }, 'editor')).toMatchObject({ author: site.users.author });
    expect(await change(id, { author: site.users.editor }, 'author')).toMatchObject({
      code: 'rest_cannot_edit_others',
    });
    expect(await change(id, { title: 'Mine' }, 'author')).toMatchObject({ title: { raw: 'Mine' } });
  });

  test('an id in the body is the one that counts, for rights too', async () => {
    const own = await write({ title: 'Own' }, 'contributor');
    const foreign = await write({ title: 'Foreign' });
    expect(await change(own.id, { id: foreign.id, title: 'Taken' }, 'contributor')).toMatchObject({
      code: 'rest_cannot_edit',
    });
    expect(await change(own.id, { id: foreign.id, title: 'Given' }, 'editor')).toMatchObject({ id: foreign.id });
  });

  test('all texts can not be cleared, one can', async () => {
    const { id } = await write({ content: 'c' });
    expect(await change(id, { title: '' })).toMatchObject({ title: { raw: '' } });
    expect(await change(id, { content: '' })).toMatchObject({ code: 'empty_content' });
  });

  test('private takes the password away', async () => {
    const { id } = await write({ status: 'publish', password: 'p' });
    expect(await change(id, { status: 'private' })).toMatchObject({ password: '' });
  });

  test('values of meta are kept one by one, and null takes one away', async () => {
    const { id } = await write({ meta: { _seo_title: 'A', _seo_focuskw: 'B' } });
    expect(await change(id, { meta: { _seo_title: null } })).toMatchObject({
      meta: { _seo_title: '', _seo_focuskw: 'B' },
    });
  });

  test('a page can not come to lie below itself', async () => {
    const top = (await send('POST', 'pages', { title: 'Loop' })).body;
    const below = (await send('POST', 'pages', { title: 'Loop below', parent: top.id })).body;
    expect((await send('POST', `pages/${top.id}`, { parent: below.id })).body).toMatchObject({ parent: 0 });
  });

  test('halves of characters and NUL are no reason to fail', async () => {
    const answer = await send('POST', 'posts', { title: 'a\0b\uD800', meta: { footnotes: '\uDC00' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ title: { raw: 'ab\uFFFD' } });
  });
});

describe('deleting', () => {
  test('to the trash and back, with its name', async () => {
    const { id } = await write({ title: 'Back again', status: 'publish', sticky: true });
    expect((await send('DELETE', `posts/${id}`, {})).body).toMatchObject({
      status: 'trash',
      slug: 'back-again__trashed',
      sticky: false,
      link: `${site.context.publicUrl}/?p=${id}`,
    });
    expect(await send('DELETE', `posts/${id}`, {})).toMatchObject({
      status: 410,
      body: { code: 'rest_already_trashed' },
    });
    expect(await change(id, { title: 'Edited', status: 'trash' })).toMatchObject({ status: 'trash' });
    expect(await change(id, { status: 'publish' })).toMatchObject({ status: 'publish', slug: 'back-again' });
  });

  test('a name that was taken in the meantime is told apart', async () => {
    const { id } = await write({ title: 'Freed', status: 'publish' });
    await send('DELETE', `posts/${id}`, {});
    expect((await write({ title: 'Freed', status: 'publish' })).slug).toBe('freed');
    expect((await change(id, { status: 'publish' })).slug).toBe('freed-2');
  });

  test('the trash gives its author no rights that they did not have', async () => {
    const { id } = await write({ status: 'pending' }, 'contributor');
    await change(id, { status: 'publish' });
    await send('DELETE', `posts/${id}`, {});
    expect(await change(id, { title: 'x' }, 'contributor')).toMatchObject({ code: 'rest_cannot_edit' });
  });

  test('for good, with its revisions, and nothing may be done with it then', async () => {
    const { id } = await write({ status: 'publish' });
    await change(id, { content: 'more' });
    const { status, headers, body } = await send('DELETE', `posts/${id}?force=true`, {});
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 200, allow: null });
    expect(body).toMatchObject({ deleted: true, previous: { id, content: { raw: 'more' } } });
    expect(body['previous']).not.toHaveProperty('_links');
    expect(await site.context.store.db.select().from(content).where(eq(content.parentId, id))).toEqual([]);
    expect((await send('DELETE', `posts/${id}?force=true`, {})).status).toBe(404);
  });

  test('pages below move up, and media are let go', async () => {
    const page = async (fields: object) => (await send('POST', 'pages', { status: 'publish', ...fields })).body;
    await page({ title: 'Twin' });
    const top = await page({ title: 'Going' });
    const below = await page({ title: 'Twin', parent: top.id });
    const mediaItem = await site.addContent({ type: 'attachment', status: 'inherit', parentId: top.id });
    await send('DELETE', `pages/${top.id}?force=1`, {});
    expect((await site.fetch(`/core/v2/pages/${below.id}`)).body).toMatchObject({ parent: 0, slug: 'twin-2' });
    expect((await site.fetch(`/core/v2/media/${mediaItem}`)).body).toMatchObject({ post: null });
  });
});

test('what readers can notice is announced, and nothing else', async () => {
  const { id } = await write({ title: 'Told' });
  await change(id, { content: 'still a draft' });
  expect(await events()).toEqual([]);
  await change(id, { status: 'publish' });
  await change(id, { title: 'Told again' });
  await send('DELETE', `posts/${id}`, {});
  const about = { what: 'post', id: String(id) };
  expect(await events()).toEqual([
    { ...about, action: 'created' },
    { ...about, action: 'updated' },
    { ...about, action: 'deleted' },
  ]);
});

test('a store that fails during a parameter check results in a server error', async () => {
  const { id } = await write({});
  const { db } = site.context.store;
  await db.execute(sql`ALTER TABLE content RENAME TO content_away`);
  try {
    const { status, body } = await send('POST', `posts/${id}`, { template: 'no' });
    expect([status, body]).toMatchObject([500, { code: 'internal_server_error' }]);
  } finally {
    await db.execute(sql`ALTER TABLE content_away RENAME TO content`);
  }
  expect(await change(id, { template: 'no' })).toMatchObject({ code: 'rest_invalid_param' });
});
