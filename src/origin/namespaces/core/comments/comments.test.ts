import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { comment } from '#origin/platform/store/schema.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Shown extends Record<string, unknown> {
  id: number;
}

async function send(method: string, path: string, body: object = {}, as: Role = 'administrator') {
  const headers = { 'content-type': 'application/json' };
  const answer = await site.fetch(`/core/v2/${path}`, { method, as, headers, body: JSON.stringify(body) });
  return { ...answer, body: answer.body as Shown };
}

const write = (body: object, as?: Role) => send('POST', 'comments', body, as);
const idsOf = async (query: string, as?: Role) => {
  const { body } = await site.fetch(`/core/v2/comments?${query}`, as ? { as } : {});
  return (body as Shown[]).map(({ id }) => id);
};
const READER = { author_name: 'Reader', author_email: 'Reader@example.test' };

describe('writing', () => {
  test('a moderator’s comment is shown at once, signed as wanted', async () => {
    const post = await site.addContent({ slug: 'commented' });
    const { status, body, headers } = await write({ post, content: 'First comment.', ...READER });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${site.context.publicUrl}/rest/core/v2/comments/${body.id}`);
    expect(body).toMatchObject({
      post,
      author: 0,
      author_name: 'Reader',
      author_email: 'reader@example.test',
      content: { rendered: '<p>First comment.</p>\n', raw: 'First comment.' },
      link: `${site.context.publicUrl}/commented/#comment-${body.id}`,
      status: 'approved',
      _links: { up: [{ embeddable: true, post_type: 'post' }] },
    });
    const shown = await site.fetch(`/core/v2/comments/${body.id}`);
    expect(shown.text).not.toContain('reader@example.test');
    expect(shown.headers.get('allow')).toBe('GET');
    expect((await site.fetch(`/core/v2/posts/${post}?_embed=replies`)).body).toMatchObject({
      _embedded: { replies: [[{ id: body.id, author_name: 'Reader' }]] },
    });
  });

  test('the comments of several posts are embedded together', async () => {
    const posts = [await site.addContent({}), await site.addContent({})];
    for (const post of posts) await write({ post, content: `On ${post}`, ...READER });
    const { body } = await site.fetch(`/core/v2/posts?include=${posts.join()}&orderby=include&_embed=replies`);
    expect(body).toMatchObject(
      posts.map((post) => ({ _embedded: { replies: [[{ content: { rendered: `<p>On ${post}</p>\n` } }]] } })),
    );
  });

  test('another user’s waits until a moderator approves it, under their own name', async () => {
    const post = await site.addContent({});
    const { body } = await write({ post, content: 'Mine', ...READER }, 'subscriber');
    expect(body).toMatchObject({ author: site.users.subscriber, author_name: 'subscriber', status: 'hold' });
    expect(await idsOf(`post=${post}`)).toEqual([]);
    expect((await site.fetch(`/core/v2/comments/${body.id}`)).body).toMatchObject({ code: 'rest_cannot_read' });
    expect((await site.fetch(`/core/v2/comments/${body.id}`, { as: 'subscriber' })).status).toBe(200);
    expect((await send('PATCH', `comments/${body.id}`, { status: 'approved' }, 'subscriber')).body).toMatchObject({
      code: 'rest_cannot_edit',
    });
    expect(await idsOf(`post=${post}&status=hold`, 'editor')).toEqual([body.id]);
    const approved = await send('PATCH', `comments/${body.id}`, { status: 'approve', content: 'Ours' }, 'editor');
    expect(approved.body).toMatchObject({ status: 'approved', content: { raw: 'Ours' } });
    expect(await idsOf(`post=${post}`)).toEqual([body.id]);
  });

  test.each([
    ['of a stranger', {}, undefined, 401, 'rest_comment_login_required'],
    ['for another user', { author: 1 }, 'author', 403, 'rest_comment_invalid_author'],
    ['that approves itself', { status: 'approved' }, 'author', 403, 'rest_comment_invalid_status'],
    ['about nothing', { post: 99_999 }, 'author', 403, 'rest_comment_invalid_post_id'],
    ['without a text', { content: ' <script></script> ' }, 'author', 400, 'rest_comment_content_invalid'],
    ['with too long a text', { content: 'ä'.repeat(40_000) }, 'author', 400, 'comment_content_column_length'],
    ['of a name without an address', { author_name: 'X' }, 'editor', 400, 'rest_comment_author_data_required'],
    ['with a script for a home page', { author_url: 'javascript:alert(1)' }, 'editor', 400, 'rest_invalid_param'],
    ['of no such status', { status: 'loud' }, 'editor', 400, 'rest_invalid_param'],
    ['that answers one elsewhere', { parent: 99_999 }, 'author', 400, 'rest_comment_invalid_parent'],
    ['with an id', { id: 1 }, 'editor', 400, 'rest_comment_exists'],
  ] as const)('one %s is refused', async (_, fields, as, status, code) => {
    const post = await site.addContent({});
    const body = JSON.stringify({ post, content: 'x', ...fields });
    const about = { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...(as ? { as } : {}) };
    expect(await site.fetch('/core/v2/comments', about)).toMatchObject({ status, body: { code } });
  });

  test.each([
    [{ status: 'draft' }, 'rest_comment_draft_post'],
    [{ status: 'trash' }, 'rest_comment_trash_post'],
    [{ status: 'private' }, 'rest_cannot_read_post'],
    [{ password: 'x' }, 'rest_cannot_read_post'],
    [{ commentStatus: 'closed' }, 'rest_comment_closed'],
    [{ type: 'revision' }, 'rest_comment_invalid_post_id'],
  ] as const)('about %j is refused', async (row, code) => {
    const post = await site.addContent(row);
    expect((await write({ post, content: 'x' }, 'subscriber')).body).toMatchObject({ code });
  });
});

describe('reading', () => {
  test('by page, thread, author and words, in either direction', async () => {
    const post = await site.addContent({});
    const dated = (day: number, fields: object = {}) =>
      write({ post, content: `Note ${day}`, date: `2026-01-0${day}T10:00:00`, ...fields });
    const [{ body: first }, { body: second }] = [await dated(1), await dated(2, READER)];
    const { body: answer } = await dated(3, { parent: first.id, content: 'Grüße' });
    expect(await idsOf(`post=${post}`)).toEqual([answer.id, second.id, first.id]);
    expect(await idsOf(`post=${post}&order=asc&per_page=2`)).toEqual([first.id, second.id]);
    expect(await idsOf(`parent=${first.id}`)).toEqual([answer.id]);
    expect(await idsOf(`post=${post}&search=grusse`)).toEqual([answer.id]);
    expect(await idsOf(`post=${post}&search=reader@example`)).toEqual([]);
    expect(await idsOf(`post=${post}&search=reader@example`, 'editor')).toEqual([second.id]);
    expect(await idsOf(`post=${post}&after=2026-01-02T10:00:00`)).toEqual([answer.id]);
    expect(await idsOf(`include=${first.id},${answer.id}&orderby=include`)).toEqual([first.id, answer.id]);
    const paged = await site.fetch(`/core/v2/comments?post=${post}&per_page=2`);
    expect([paged.headers.get('x-wp-total'), paged.headers.get('x-wp-totalpages')]).toEqual(['3', '2']);
    expect((await site.fetch(`/core/v2/comments/${first.id}`)).body).toMatchObject({
      date: '2026-01-01T10:00:00',
      date_gmt: '2026-01-01T09:00:00',
      _links: { children: [{ href: expect.stringContaining(`parent=${first.id}`) }] },
    });
  });

  test.each(['status=hold', 'author=1', 'author_email=a@b.test', 'type=note'])(
    '%s is for moderators',
    async (query) => {
      expect((await site.fetch(`/core/v2/comments?${query}`)).body).toMatchObject({ code: 'rest_forbidden_param' });
      expect((await site.fetch(`/core/v2/comments?${query}`, { as: 'editor' })).status).toBe(200);
    },
  );

  test('what is hidden hides its comments, and a password opens them', async () => {
    const hidden = await site.addContent({ status: 'private' });
    const locked = await site.addContent({ password: 'sesame' });
    const { body: secret } = await write({ post: hidden, content: 'Secret words' });
    const { body: guarded } = await write({ post: locked, content: 'Guarded words' });
    expect(await idsOf('search=words')).toEqual([]);
    expect((await site.fetch(`/core/v2/comments/${secret.id}`)).body).toMatchObject({ code: 'rest_cannot_read_post' });
    expect((await site.fetch(`/core/v2/comments?post=${locked}`)).body).toMatchObject({
      code: 'rest_cannot_read_post',
    });
    expect(await idsOf(`post=${locked}&password=sesame`)).toEqual([guarded.id]);
  });
});

describe('deleting', () => {
  test('goes to the trash, then for good, and leaves the answers where they hang', async () => {
    const post = await site.addContent({});
    const { body: top } = await write({ post, content: 'Top' });
    const { body: middle } = await write({ post, content: 'Middle', parent: top.id });
    const { body: low } = await write({ post, content: 'Low', parent: middle.id });
    expect((await send('DELETE', `comments/${middle.id}`, {}, 'author')).body).toMatchObject({
      code: 'rest_cannot_delete',
    });
    expect((await send('DELETE', `comments/${middle.id}`)).body).toMatchObject({ status: 'trash' });
    expect((await send('DELETE', `comments/${middle.id}`)).status).toBe(410);
    const gone = await send('DELETE', `comments/${middle.id}?force=true`);
    expect(gone.body).toMatchObject({ deleted: true, previous: { id: middle.id, content: { raw: 'Middle' } } });
    expect((await site.fetch(`/core/v2/comments/${low.id}`)).body).toMatchObject({ parent: top.id });
    expect((await site.fetch(`/core/v2/comments/${middle.id}`)).status).toBe(404);
  });

  test('a thread is hidden while its post is in the trash, and goes with it', async () => {
    const post = await site.addContent({});
    const { body } = await write({ post, content: 'Stays?' });
    await send('DELETE', `posts/${post}`);
    expect(await idsOf(`include=${body.id}`, 'editor')).toEqual([]);
    await send('PATCH', `posts/${post}`, { status: 'publish' });
    expect(await idsOf(`include=${body.id}`)).toEqual([body.id]);
    await send('DELETE', `posts/${post}?force=true`);
    const { db } = site.context.store;
    expect(await db.select().from(comment).where(eq(comment.contentId, post))).toEqual([]);
  });
});
