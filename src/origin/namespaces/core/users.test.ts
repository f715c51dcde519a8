import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;

beforeAll(async () => {
  site = await openTestSite();
  await site.addContent({ authorId: site.users.author });
  await site.addContent({ authorId: site.users.editor, type: 'page' });
  await site.addContent({ authorId: site.users.contributor, status: 'draft' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

describe('lists', () => {
  const everybody = ['administrator', 'author', 'contributor', 'editor', 'subscriber'];

  test.each<[TestRequest['as'], string, string[] | number]>([
    [undefined, '', ['author', 'editor']],
    ['editor', '', ['author', 'editor']],
    ['administrator', '', everybody],
    ['administrator', 'orderby=id&order=desc&per_page=2', ['subscriber', 'contributor']],
    ['administrator', 'roles=author,editor', ['author', 'editor']],
    ['administrator', 'capabilities=manage_categories', ['administrator', 'editor']],
    ['administrator', 'has_published_posts=page', ['editor']],
    ['administrator', 'who=authors', ['administrator', 'author', 'contributor', 'editor']],
    ['administrator', 'search=origin.test&search_columns=email', everybody],
    [undefined, 'search=origin.test', []],
    [undefined, 'search=edit', ['editor']],
    [undefined, 'slug=author', ['author']],
    [undefined, 'roles=editor', 401],
    ['editor', 'context=edit', 403],
    [undefined, 'orderby=email', 401],
    ['subscriber', 'who=authors', 403],
  ])('%s asks for %s', async (as, query, expected) => {
    const { status, body } = await site.fetch(`/core/v2/users?${query}`, as ? { as } : {});
    if (typeof expected === 'number') expect(status).toBe(expected);
    else expect((body as { slug: string }[]).map(({ slug }) => slug)).toEqual(expected);
  });
});

const read = (name: keyof TestSite['users'], query: string, as?: TestRequest['as']) =>
  site.fetch(`/core/v2/users/${site.users[name]}?${query}`, as ? { as } : {});

describe('items', () => {
  test('anonymous callers see only the public fields of an author', async () => {
    const { body } = await read('author', '');
    expect(Object.keys(body as object)).toEqual([
      'id',
      'name',
      'url',
      'description',
      'link',
      'slug',
      'avatar_urls',
      'meta',
      '_links',
    ]);
    expect(body).toMatchObject({ name: 'author', link: `${site.context.publicUrl}/author/author/` });
    expect(JSON.stringify(body)).not.toContain('@');
  });

  test.each<[keyof TestSite['users'], TestRequest['as'], string, number, string?]>([
    ['contributor', undefined, '', 401, 'rest_user_cannot_view'],
    ['contributor', 'editor', '', 403, 'rest_user_cannot_view'],
    ['contributor', 'contributor', 'context=edit', 200],
    ['contributor', 'administrator', 'context=edit', 200],
    ['author', undefined, 'context=edit', 401, 'rest_forbidden_context'],
  ])('%s for %s with "%s" is %i', async (name, as, query, status, code) => {
    const answer = await read(name, query, as);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.body).toMatchObject({ code });
  });

  test('an unknown id', async () => {
    expect(await site.fetch('/core/v2/users/9999')).toMatchObject({
      status: 404,
      body: { code: 'rest_user_invalid_id' },
    });
  });
});

describe('me', () => {
  test('is the caller', async () => {
    const { body } = await site.fetch('/core/v2/users/me?context=edit', { as: 'subscriber' });
    expect(body).toMatchObject({
      id: site.users.subscriber,
      username: 'subscriber',
      email: 'subscriber@origin.test',
      roles: ['subscriber'],
      capabilities: { read: true, level_0: true, subscriber: true },
    });
    expect(JSON.stringify(body)).not.toMatch(/hash|argon/i);
  });

  test('requires a signed-in user', async () => {
    const answer = await site.fetch('/core/v2/users/me');
    expect(answer).toMatchObject({ status: 401, body: { code: 'rest_not_logged_in' } });
    expect(answer.headers.get('allow')).toBe('GET');
  });
});
