import { eq, sql, type SQLWrapper } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANALYSED_KEY } from '#contracts/seo/settings.ts';
import { digestContent } from '#origin/admin/import/tracked-record.ts';
import { content } from '#origin/platform/store/schema.ts';
import { updateSeoOptions } from '../options.ts';
import { openSeoSite, OPEN_TIMEOUT_MS, type SeoSite } from '../testing/seo-site.ts';
import { analyseDueTexts } from './analyse-texts.ts';

let site: SeoSite;
beforeAll(async () => {
  site = await openSeoSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const TEXT = `<p>Window tape seals the joint of a window.</p>${'<p>It has to be wide enough for the joint. Then it stays tight.</p>'.repeat(12)}`;

const addPost = async (fields: object = {}) =>
  (await site.write('POST', 'core/v2/posts', { title: 'Window tape', status: 'publish', content: TEXT, ...fields })).id;

/** As if the last writes had been a while ago, each at another time. */
async function age(): Promise<void> {
  const earlier = (time: SQLWrapper) => sql`(${time}::timestamp - interval '2 seconds')`;
  const analysed = sql`(${content.meta} ->> ${ANALYSED_KEY})`;
  await site.context.store.db.update(content).set({
    modifiedGmt: earlier(content.modifiedGmt),
    meta: sql`case when ${analysed} is null then ${content.meta}
      else ${content.meta} || jsonb_build_object(${ANALYSED_KEY}::text, ${earlier(analysed)}::text) end`,
  });
}

async function analyse(): Promise<number> {
  await age();
  return analyseDueTexts(site.context);
}

const scoresOf = async (id: number) =>
  (await site.write('GET', `seo/v1/settings/post/${id}`)) as unknown as {
    seo_score: number;
    readability_score: number;
    title_score: number;
  };

const keyphrase = { meta: { _seo_focuskw: 'window tape' } };

it('texts have no scores unless an analysis was requested', async () => {
  const id = await addPost(keyphrase);
  expect(await analyse()).toBe(0);
  expect(await scoresOf(id)).toMatchObject({ seo_score: 0, readability_score: 0 });
});

it('what was analysed once keeps the scores of its text, and those that others have chosen for its title', async () => {
  const id = await addPost();
  await site.write('POST', `seo/v1/settings/post/${id}`, { readability_score: 30, seo_score: 1 });
  expect(await analyse()).toBe(0);
  const before = await site.context.store.db.select().from(content).where(eq(content.id, id));
  await site.write('POST', `seo/v1/settings/post/${id}`, { focus_keyphrase: 'window tape' });
  expect(await analyse()).toBe(1);
  const { seo_score } = await scoresOf(id);
  expect(seo_score).toBeGreaterThan(1);
  const after = await site.context.store.db.select().from(content).where(eq(content.id, id));
  expect(after[0]?.modified).toBe(before[0]?.modified);
  await site.write('POST', `seo/v1/settings/post/${id}`, { title_score: 3 });
  expect(await analyse()).toBe(0);
  expect((await scoresOf(id)).title_score).toBe(3);
});

it('an analysis is no change that keeps an import from renewing the text', async () => {
  const id = await addPost(keyphrase);
  await updateSeoOptions({ context: site.context }, { analyse_on_save: true });
  // All texts that were never analysed are due.
  expect(await analyse()).toBeGreaterThan(1);
  await site.write('POST', `core/v2/posts/${id}`, { content: TEXT });
  const digest = () =>
    site.context.store.db.transaction(async (tx) => {
      const [row] = await tx.select().from(content).where(eq(content.id, id));
      return row && digestContent(row, tx);
    });
  await age();
  const before = await digest();
  expect(await analyseDueTexts(site.context)).toBe(1);
  expect([(await scoresOf(id)).seo_score > 0, await digest()]).toEqual([true, before]);
});

it('scores reveal no keyphrases of unpublished texts', async () => {
  await updateSeoOptions({ context: site.context }, { analyse_on_save: true });
  const meta = { meta: { _seo_focuskw: 'seals of windows' } };
  const id = await addPost(meta);
  let writes = 0;
  const writeAndAnalyse = async () => {
    writes += 1;
    await site.write('POST', `core/v2/posts/${id}`, { excerpt: `Text ${writes}` });
    await analyse();
    return (await scoresOf(id)).seo_score;
  };
  const alone = await writeAndAnalyse();
  for (const hidden of [{ status: 'private' }, { status: 'draft' }, { password: 'x' }])
    await addPost({ ...meta, ...hidden });
  expect(await writeAndAnalyse()).toBe(alone);
  await addPost(meta);
  expect(await writeAndAnalyse()).toBeLessThan(alone);
});

it('where the site wants it, all that is written is analysed, once', async () => {
  await updateSeoOptions({ context: site.context }, { analyse_on_save: true });
  const id = await addPost(keyphrase);
  expect(await analyse()).toBe(1);
  const { seo_score, readability_score } = await scoresOf(id);
  expect([seo_score > 0, readability_score > 0]).toEqual([true, true]);
  expect(await analyse()).toBe(0);
  await site.write('POST', `core/v2/posts/${id}`, { content: '<p>Short.</p>' });
  await analyse();
  expect((await scoresOf(id)).seo_score).toBeLessThan(seo_score);
});

it.each([3, 99, 101, 297, 299, 301, 501])('an analysis changes no head: a text of %i words', async (count) => {
  await updateSeoOptions({ context: site.context }, { analyse_on_save: true });
  const post = await site.write('POST', 'core/v2/posts', {
    title: 'A title of five words',
    status: 'publish',
    content: `<p>${'word '.repeat(count)}</p>`,
  });
  const head = async () => (await site.head(new URL(String(post['link'])).pathname)).json;
  const before = await head();
  expect(await analyse()).toBe(1);
  expect(await head()).toEqual(before);
  const minutes = Number((await site.write('GET', `seo/v1/settings/post/${post.id}`))['reading_minutes']);
  expect(before['twitter_misc']).toMatchObject({ 'Reading time': minutes === 1 ? '1 minute' : `${minutes} minutes` });
});
