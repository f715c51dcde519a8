import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import type { BulkResult, BulkRow } from '#contracts/seo/bulk-editor.ts';
import { NO_SEO_SETTINGS, toSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import type { ScoreBucket, Task } from '#contracts/seo/scores.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function send(method: string, path: string, body?: unknown, as: Role = 'administrator') {
  const { status, body: answered } = await site.fetch(`/seo/v1/${path}`, {
    method,
    as,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status, body: answered };
}

async function listPosts(query: string) {
  const { body } = await send('GET', `bulk_editor/posts?${query}`);
  return body as { posts: BulkRow[]; total: number; total_pages: number };
}
async function update(route: string, items: unknown) {
  const { body } = await send('POST', `bulk_editor/${route}`, { items });
  return (body as { results: BulkResult[] }).results;
}
const idsOf = (posts: readonly { id: number }[]) => posts.map(({ id }) => id);

/** Amounts by bucket, or the ids where they were asked for. */
async function countScores(path: string) {
  const { body } = await send('GET', path);
  const { scores, cacheUsed } = body as {
    scores: { name: ScoreBucket; amount: number; ids?: string }[];
    cacheUsed: boolean;
  };
  return { ...Object.fromEntries(scores.map(({ name, amount, ids }) => [name, ids ?? amount])), cacheUsed };
}

async function listTasks(query = '') {
  const { body } = await send('GET', `get_tasks${query}`);
  return (body as { tasks: Record<string, Task> }).tasks;
}
const complete = (task: string) => send('POST', 'complete_task', { options: { task } });

/** Content with scores. */
const addScored = (settings: Partial<SeoSettings>, { meta = {}, ...row }: Partial<typeof content.$inferInsert> = {}) =>
  site.addContent({ type: 'page', ...row, meta: { ...toSettingsMeta({ ...NO_SEO_SETTINGS, ...settings }), ...meta } });

describe('a hundred rows in five requests', () => {
  test('are changed one by one: what is wrong with some keeps no other back', async () => {
    const media = await site.addContent({ type: 'attachment', status: 'inherit' });
    const ids = await Promise.all(
      Array.from({ length: 80 }, (_, i) => site.addContent({ type: 'page', title: `Bulk ${i}` })),
    );
    const wrong = new Map<number, string>([
      [media, 'invalid_post_type'],
      [0, 'not_found'],
      [-7, 'not_found'],
      [Number.MAX_SAFE_INTEGER, 'not_found'],
    ]);
    // Each request has sixteen right rows, among which the wrong ones stand.
    const requests = Array.from({ length: 5 }, (_, i) => {
      const right = ids.slice(i * 16, i * 16 + 16);
      return [...right.slice(0, 3), ...wrong.keys(), ...right.slice(3)];
    });
    for (const request of requests) {
      const sent = request.map((id) => ({ id, seo_title: `T${id} %%sep%% x`, focus_keyphrase: `  key\n ${id} ` }));
      const results = await update('update_search', sent);
      expect(idsOf(results)).toEqual(request);
      expect(results).toEqual(
        request.map((id) =>
          wrong.has(id)
            ? { id, success: false, error: wrong.get(id) }
            : {
                id,
                success: true,
                rendered: { seo_title: `T${id} - x`, meta_description: '' },
                sanitized: { focus_keyphrase: `key ${id}` },
              },
        ),
      );
    }
    const { posts, total } = await listPosts('content_type=page&search=key&per_page=100');
    expect(total).toBe(80);
    expect(posts.every(({ id, seo_title }) => seo_title === `T${id} %%sep%% x`)).toBe(true);
  });

  test('are refused whole when one of them is no row', async () => {
    const id = await site.addContent({ type: 'page' });
    const good = { id, seo_title: 'Stays away' };
    const refused: [string, unknown, string][] = [
      ['update_search', 'x', 'rest_invalid_items'],
      ['update_search', { 0: good }, 'rest_invalid_items'],
      ['update_search', [], 'rest_no_items'],
      ['update_search', Array.from({ length: 21 }, () => good), 'rest_too_many_items'],
      ['update_search', [good, null], 'rest_invalid_item'],
      ['update_search', [good, [1]], 'rest_invalid_item'],
      ['update_search', [good, { id: 1.5, seo_title: 'x' }], 'rest_invalid_item_id'],
      ['update_search', [good, { id: 1e30, seo_title: 'x' }], 'rest_invalid_item_id'],
      ['update_search', [good, { id, social_title: 'x' }], 'rest_no_fields_to_update'],
      ['update_search', [good, { id, seo_title: null }], 'rest_invalid_item_field'],
      ['update_search', [good, { id, seo_title: 'x'.repeat(501) }], 'rest_invalid_item_field'],
      ['update_search', [good, { id, focus_keyphrase: 'x'.repeat(192) }], 'rest_invalid_item_field'],
      ['update_scores', [{ id, seo_title: 'x' }], 'rest_no_scores_to_update'],
      ['update_scores', [{ id, seo_title_score: -1 }], 'rest_invalid_item_score'],
      ['update_scores', [{ id, meta_description_score: 0.5 }], 'rest_invalid_item_score'],
    ];
    for (const [route, items, code] of refused) {
      const { status, body } = await send('POST', `bulk_editor/${route}`, { items });
      expect({ status, body }, JSON.stringify(items).slice(0, 80)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { details: { items: { code } } } },
      });
    }
    expect((await listPosts(`content_type=page&include=${id}`)).posts).toMatchObject([{ seo_title: '' }]);
  });

  test('hold text and no markup, however it is written', async () => {
    const id = await site.addContent({ type: 'page', title: 'A' });
    const hostile = '<<script>script>alert(1)</script><img src=x onerror=alert(1)>Tom & "Jo"';
    const [result] = await update('update_search', [{ id, seo_title: hostile, meta_description: hostile }]);
    const [social] = await update('update_social', [{ id, social_title: hostile, social_description: hostile }]);
    expect([result?.success, social?.success]).toEqual([true, true]);
    const { posts } = await listPosts(`content_type=page&include=${id}`);
    const { seo_title = '', meta_description = '', social_title = '', social_description = '' } = posts[0] ?? {};
    for (const text of [seo_title, meta_description, social_title, social_description, result?.rendered?.seo_title]) {
      expect(text).not.toMatch(/<[a-z/]/i);
      expect(text).toContain('Tom & "Jo"');
    }
    await update('update_search', [{ id, seo_title: '', meta_description: '' }]);
    expect((await listPosts(`content_type=page&include=${id}`)).posts).toMatchObject([
      { seo_title: '', seo_title_fallback: '%%title%% %%page%% %%sep%% %%sitename%%', meta_description: '' },
    ]);
  });
});

describe('rows of the bulk editor', () => {
  test('are found by their texts, wildcards standing for themselves', async () => {
    const percent = await site.addContent({ title: '50 % off_season &amp; more' });
    await site.addContent({ title: '50 pro off season' });
    const described = await site.addContent({ title: 'x', meta: { _seo_metadesc: 'Only 50 % here' } });
    const { posts } = await listPosts('content_type=post&search=50+%25');
    expect(idsOf(posts)).toEqual([described, percent]);
    expect(posts[1]).toMatchObject({ title: '50 % off_season & more', editable: true });
    expect(idsOf((await listPosts('content_type=post&search=off_season')).posts)).toEqual([percent]);
    expect((await listPosts("content_type=post&search=';drop+table+content;--")).total).toBe(0);
  });

  test('need something better where nothing stands in or the score is low', async () => {
    const low = await addScored({ title_score: 70 }, { meta: { _seo_metadesc: 'd', _seo_seo_title_score: '70' } });
    const high = await addScored({ title_score: 71 }, { meta: { _seo_metadesc: 'd', _seo_seo_title_score: '71' } });
    const both = `content_type=page&include=${low},${high}`;
    expect(idsOf((await listPosts(`${both}&needs_improvement=seo_title`)).posts)).toEqual([low]);
    expect((await listPosts(`${both}&needs_improvement=meta_description`)).posts).toEqual([]);
    expect((await listPosts(`${both}&needs_improvement=seo_title,social_description`)).total).toBe(2);
    expect((await listPosts(both)).posts.map((row) => row.needs_improvement.seo_title)).toEqual([false, true]);
  });

  test('follow scores that clients send', async () => {
    const id = await site.addContent({ type: 'page', title: 'Scored by a client' });
    await update('update_search', [{ id, meta_description: 'Said.' }]);
    const poor = `content_type=page&include=${id}&needs_improvement=meta_description`;
    expect((await listPosts(poor)).posts).toEqual([]);
    await update('update_scores', [{ id, meta_description_score: 30 }]);
    expect(idsOf((await listPosts(poor)).posts)).toEqual([id]);
    await update('update_scores', [{ id, meta_description_score: 0 }]);
    expect((await listPosts(poor)).posts).toEqual([]);
  });

  test('leave out what is locked, in the trash or private, and keep to their limits', async () => {
    const locked = await site.addContent({ type: 'page', password: 'x', content: 'secret' });
    const trashed = await site.addContent({ type: 'page', status: 'trash', content: 'secret' });
    const hidden = await site.addContent({ type: 'page', status: 'private', content: 'secret' });
    const ids = [locked, trashed, hidden].join(',');
    expect((await listPosts(`content_type=page&include=${ids}`)).total).toBe(0);
    expect((await send('GET', `bulk_editor/posts_content?ids=${ids}`)).body).toEqual({ posts: [] });
    for (const query of ['per_page=0', 'per_page=101', 'page=0', 'status=private', 'needs_improvement=x', 'include=0'])
      expect((await send('GET', `bulk_editor/posts?content_type=page&${query}`)).status, query).toBe(400);
    const many = Array.from({ length: 101 }, (_, i) => i + 1).join(',');
    expect((await send('GET', `bulk_editor/posts?content_type=page&include=${many}`)).status).toBe(400);
    for (const type of ['attachment', 'revision', 'wp_navigation', 'constructor'])
      expect((await send('GET', `bulk_editor/posts?content_type=${type}`)).body, type).toMatchObject({
        code: 'rest_invalid_content_type',
      });
  });
});

describe('scores', () => {
  test('fall into buckets at 1, 41 and 71', async () => {
    const category = await site.addTerm({ name: 'Scored' });
    const add = async (settings: Partial<SeoSettings>, meta: Record<string, string> = {}) =>
      String(
        await site.addContent({ meta: { ...toSettingsMeta({ ...NO_SEO_SETTINGS, ...settings }), ...meta } }, [
          category,
        ]),
      );
    const one = await add({ seo_score: 1, readability_score: 30 });
    const forty = await add({ seo_score: 40, readability_score: 60 });
    const fortyOne = await add({ seo_score: 41, readability_score: 90 });
    const seventyOne = await add({ seo_score: 71, reading_minutes: 2 });
    const hidden = await add({ seo_score: 100 }, { '_seo_meta-robots-noindex': '1' });
    const within = `contentType=post&taxonomy=category&term=${category}`;
    expect(await countScores(`seo_scores?${within}&troubleshooting=true`)).toEqual({
      good: seventyOne,
      ok: fortyOne,
      bad: `${one},${forty}`,
      notAnalyzed: 0,
      cacheUsed: false,
    });
    // A text that was read and scored nothing reads badly; one that is kept out of search results is read too.
    expect(await countScores(`readability_scores?${within}&troubleshooting=true`)).toEqual({
      good: fortyOne,
      ok: forty,
      bad: `${one},${seventyOne}`,
      notAnalyzed: hidden,
      cacheUsed: false,
    });
    expect(await countScores(`seo_scores?${within}`)).toMatchObject({ good: 1, ok: 1, bad: 2, cacheUsed: false });
  });

  test('are counted for authors of their own posts only', async () => {
    await addScored({ seo_score: 80 }, { type: 'post', authorId: site.users.author, meta: { _seo_focuskw: 'x' } });
    await addScored(
      { seo_score: 20 },
      { type: 'post', authorId: site.users.author, meta: { '_seo_meta-robots-noindex': '1' } },
    );
    const { body } = await send('GET', 'statistics', undefined, 'author');
    const { seo_scores } = body as { seo_scores: { seo_rank: string; count: number; link: string }[] };
    expect(seo_scores.map(({ seo_rank, count }) => [seo_rank, count])).toEqual([
      ['bad', 1],
      ['good', 1],
      ['na', 1],
      ['noindex', 1],
    ]);
    expect(seo_scores[0]?.link).toContain(`author=${site.users.author}`);
    expect((await send('GET', 'statistics', undefined, 'subscriber')).body).toMatchObject({ seo_scores: [] });
  });
});

describe('tasks', () => {
  test('are what recent texts still need, worst first in priority', async () => {
    const recent = toSiteTime(new Date(), 'UTC');
    const fresh = { type: 'page', date: recent, title: 'Roofs <b>&amp; walls' } as const;
    const bad = await addScored({ seo_score: 30, readability_score: 90, reading_minutes: 1 }, fresh);
    const good = await addScored({ seo_score: 90 }, { ...fresh, meta: { _seo_metadesc: 'Said.' } });
    await addScored({ seo_score: 30 }, { ...fresh, date: '2020-01-05 09:00:00' });
    const tasks = await listTasks('?options[filter]=improve-content-seo-page');
    expect(Object.keys(tasks).toSorted()).toEqual(
      [`improve-content-seo-page`, `improve-content-seo-page-${bad}`, `improve-content-seo-page-${good}`].toSorted(),
    );
    expect(tasks['improve-content-seo-page']).toMatchObject({ isParentTask: true, isCompleted: false, duration: 10 });
    expect(tasks[`improve-content-seo-page-${bad}`]).toMatchObject({
      priority: 'high',
      isCompleted: false,
      parentTaskId: 'improve-content-seo-page',
      analyzer: { result: 'bad' },
      title: 'Roofs <b>& walls',
    });
    const all = await listTasks();
    expect(all[`improve-content-readability-page-${bad}`]).toMatchObject({ isCompleted: true });
    expect(all[`improve-default-meta-descriptions-page-${good}`]).toMatchObject({ isCompleted: true, analyzer: null });
    expect(all[`improve-default-meta-descriptions-page-${bad}`]).toMatchObject({ isCompleted: false });

    expect(Object.keys(await listTasks('?options[limit]=2'))).toHaveLength(2);
    expect(Object.values(await listTasks('?options[filter]=completed')).every((task) => task.isCompleted)).toBe(true);
    expect((await send('GET', 'get_tasks?options[limit]=x')).status).toBe(400);
  });

  test('are done by the server only where it can, and a sample only while nobody edited it', async () => {
    expect((await complete('enable-llms-txt')).body).toEqual({ success: true });
    expect((await listTasks())['enable-llms-txt']).toMatchObject({ isCompleted: true });
    expect(await complete('constructor')).toMatchObject({ status: 404, body: { success: false } });

    const edited = await site.addContent({ type: 'page', slug: 'sample-page', modified: '2026-02-01 00:00:00' });
    const sample = await site.addContent({ slug: 'hello-world' });
    expect(await listTasks()).toMatchObject({
      'delete-hello-world': { isCompleted: false },
      'delete-sample-page': { isCompleted: true },
    });
    await complete('delete-hello-world');
    await complete('delete-sample-page');
    const statusOf = async (id: number) =>
      (await site.context.store.db.select().from(content).where(eq(content.id, id)))[0]?.status;
    expect([await statusOf(sample), await statusOf(edited)]).toEqual(['trash', 'publish']);
    expect((await listTasks())['delete-hello-world']).toMatchObject({ isCompleted: true });
  });
});
