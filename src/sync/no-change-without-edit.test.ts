import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPodcastSite, type PodcastSite } from '#origin/namespaces/podcast/testing/podcast-site.ts';
import { analyseDueTexts } from '#origin/namespaces/seo/analysis.ts';
import { seoHead } from '#origin/namespaces/seo/tables.ts';
import { startJobs, thumbnailJob } from '#origin/namespaces/thumbnails/jobs/jobs.ts';
import { createTestImage } from '#origin/namespaces/thumbnails/testing/image-site.ts';
import { publishDuePosts } from '#origin/namespaces/core/schedule/start-schedule.ts';
import { content } from '#origin/platform/store/schema.ts';
import { testPassword } from '#origin/testing/open-test-site.ts';
import { startTestReceiver, type TestReceiver } from './hooks/testing/test-receiver.ts';
import { createAudio } from './testing/test-podcast.ts';
import { startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
/** After so long everything is read again. */
const FULL_READ_MS = 200 * 3_600_000;

let site: PodcastSite;
let catalogue: TestUpstream;
let receiver: TestReceiver;
let passedMs = 0;

beforeAll(async () => {
  site = await openPodcastSite();
  catalogue = await startTestUpstream({ assortment: () => [], hooks: [{ name: 'site' }] });
  catalogue.upstreams = { publishing: { siteUrl: site.context.publicUrl, restRoot: 'detect', namespaces: {} } };
  receiver = await startTestReceiver();
});
afterAll(async () => {
  await receiver.close();
  await catalogue.close();
  await site.close();
});

/** Ids of what was written, by name. */
const ids = new Map<string, number>();
const idOf = (name: string): number => ids.get(name) ?? 0;

async function write(method: string, path: string, body?: unknown) {
  const { status, body: answered } = await site.send(method, path, body, 'administrator');
  if (status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answered)}`);
  return answered;
}

async function add(name: string, path: string, body: object): Promise<void> {
  ids.set(name, (await write('POST', path, body)).id);
}

async function upload(name: string, bytes: Uint8Array): Promise<number> {
  const { publicUrl, restRoot } = site.context;
  const authorization = `Basic ${Buffer.from(`administrator:${testPassword('administrator')}`).toString('base64')}`;
  const headers = { authorization, 'content-disposition': `attachment; filename="${name}"` };
  const request = { method: 'POST', headers, body: new Uint8Array(bytes) };
  const answer = await fetch(`${publicUrl}/${restRoot}/core/v2/media`, request);
  return ((await answer.json()) as { id: number }).id;
}

/** Does all background work of the origin that is due. */
async function settle(): Promise<void> {
  const { db } = site.context.store;
  while ((await analyseDueTexts(site.context, new Date(Date.now() + 2000))) > 0);
  const jobs = await startJobs(site.context);
  const isOpen = inArray(thumbnailJob.status, ['waiting', 'running']);
  await vi.waitFor(async () => expect(await db.$count(thumbnailJob, isOpen)).toBe(0), { timeout: 60_000 });
  await jobs.stop();
}

/** Sets back all dates of changes, so that a sync that reads what has changed doesn't read everything. */
async function age(): Promise<void> {
  const { db } = site.context.store;
  await db.update(content).set({
    date: sql`${content.date} - interval '1 hour'`,
    dateGmt: sql`${content.dateGmt} - interval '1 hour'`,
    modified: sql`${content.modified} - interval '1 hour'`,
    modifiedGmt: sql`${content.modifiedGmt} - interval '1 hour'`,
  });
  await db.update(seoHead).set({ changedAt: sql`${seoHead.changedAt} - interval '1 hour'` });
}

async function sync(laterMs = 0) {
  const before = receiver.received.length;
  passedMs += laterMs;
  const environment = { SORTIMENT_HOOK_URL: `${receiver.origin}/hook`, SORTIMENT_HOOK_SECRET: SECRET };
  const report = await catalogue.sync({ environment, now: () => new Date(Date.now() + passedMs) });
  const changes = report.changes.map(({ change, kind, fields }) => ({ change, kind, fields }));
  return { changed: report.changed, changes, messages: receiver.received.length - before };
}

const NOTHING = { changed: false, changes: [], messages: 0 };

/** With its title, such a text is just longer than a whole number of minutes. */
const words = (count: number) => `<p>${'word '.repeat(count)}</p>`;

const WRITES: readonly [what: string, write: () => Promise<unknown>, kinds: readonly string[]][] = [
  ['settings of the site', () => write('POST', 'core/v2/settings', { title: 'Wall Notes' }), ['site']],
  ['options of heads', () => write('POST', 'seo/v1/options', { separator: '|', analyse_on_save: true }), []],
  ['a category', () => add('category', 'core/v2/categories', { name: 'Walls' }), ['category']],
  ['a tag', () => add('tag', 'core/v2/tags', { name: 'Tape' }), ['tag']],
  ['a picture', async () => ids.set('picture', await upload('a.jpg', await createTestImage(1600, 900))), ['media']],
  [
    'a post',
    () =>
      add('post', 'core/v2/posts', {
        status: 'publish',
        title: 'A title of five words',
        content: words(297),
        categories: [idOf('category')],
        tags: [idOf('tag')],
        featured_media: idOf('picture'),
      }),
    ['post', 'head', 'author'],
  ],
  ['the text of a post', () => write('POST', `core/v2/posts/${idOf('post')}`, { content: words(501) }), ['post']],
  ['a short post', () => add('short', 'core/v2/posts', { status: 'publish', title: 'A', content: words(3) }), ['post']],
  ['a page', () => add('page', 'core/v2/pages', { status: 'publish', title: 'About', content: words(50) }), ['page']],
  [
    'a page below another',
    () => add('below', 'core/v2/pages', { status: 'publish', title: 'Team', parent: idOf('page') }),
    ['page'],
  ],
  [
    'the slug of a page with pages below',
    () => write('POST', `core/v2/pages/${idOf('page')}`, { slug: 'us' }),
    ['page'],
  ],
  [
    'a post that quotes another',
    async () => {
      const { link } = (await write('GET', `core/v2/posts/${idOf('post')}`)) as { link?: string };
      await add('quoting', 'core/v2/posts', { status: 'publish', title: 'B', content: `Before\n\n${link}\n\nAfter` });
    },
    ['post'],
  ],
  ['the title of a quoted post', () => write('POST', `core/v2/posts/${idOf('post')}`, { title: 'Another' }), ['post']],
  [
    'a comment',
    () => write('POST', 'core/v2/comments', { post: idOf('post'), content: 'Well said', status: 'approved' }),
    ['head'],
  ],
  [
    'the name of a category',
    () => write('POST', `core/v2/categories/${idOf('category')}`, { name: 'W' }),
    ['category'],
  ],
  ['a user', () => write('POST', `core/v2/users/${site.users.administrator}`, { name: 'Adele' }), ['author', 'head']],
  [
    'settings of a head',
    () => write('POST', `seo/v1/settings/post/${idOf('post')}`, { focus_keyphrase: 'word', title: 'Own' }),
    ['head'],
  ],
  [
    'settings of the head of a category',
    () => write('POST', `seo/v1/settings/category/${idOf('category')}`, { description: 'Own' }),
    ['head'],
  ],
  ['texts of a picture', () => write('POST', `core/v2/media/${idOf('picture')}`, { alt_text: 'A wall' }), ['media']],
  [
    'sizes of a picture',
    () => write('POST', `core/v2/media/${idOf('picture')}/post-process`, { action: 'create-image-subsizes' }),
    [],
  ],
  ['thumbnails of a picture', () => write('POST', `thumbnails/v1/regenerate/${idOf('picture')}`, {}), []],
  ['thumbnails of all pictures', () => write('POST', 'thumbnails/v1/jobs', {}), []],
  ['the podcast', () => write('PUT', 'podcast/v2/podcast', { title: 'Notes', mnemonic: 'WN' }), ['podcast']],
  ['a show', () => add('show', 'podcast/v2/shows', { title: 'Show', slug: 'show' }), ['show']],
  [
    'an episode',
    async () => {
      const { id, page } = await site.addEpisode('wn001', { fields: { show: 'show' }, audio: createAudio(60_000) });
      ids.set('episode', id).set('episode page', page);
    },
    ['episode'],
  ],
  [
    'the title of an episode',
    () => write('PUT', `podcast/v2/episodes/${idOf('episode')}`, { title: 'Foils' }),
    ['episode'],
  ],
  [
    'chapters of an episode',
    () => write('PUT', `podcast/v2/chapters/${idOf('episode')}`, { chapters: [{ start: '0', title: 'Intro' }] }),
    ['episode'],
  ],
  [
    'the cover of the podcast',
    () => write('PUT', 'podcast/v2/podcast', { cover_image: `${site.context.publicUrl}/cover.png` }),
    ['podcast', 'episode'],
  ],
  [
    'the slug of a show',
    () => write('PUT', `podcast/v2/shows/${idOf('show')}`, { slug: 'other' }),
    ['show', 'episode'],
  ],
  [
    'the configuration of the player',
    () =>
      write('POST', 'player/5.9.2/config/default', {
        id: 'default',
        'subscribe-button': { feed: 'https://a.example/feed', clients: [{ id: 'rss' }] },
        share: { channels: ['link'], outlet: 'x', sharePlaytime: true },
      }),
    ['player'],
  ],
  [
    'a scheduled post that comes due',
    async () => {
      const date_gmt = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
      await add('scheduled', 'core/v2/posts', { status: 'future', date_gmt, title: 'Later', content: words(99) });
      expect(await sync()).toEqual(NOTHING);
      await publishDuePosts(site.context, new Date(Date.now() + 7_200_000));
    },
    ['post', 'head'],
  ],
  ['a sticky post', () => write('POST', `core/v2/posts/${idOf('post')}`, { sticky: true }), ['post']],
  ['the end of a show', () => write('DELETE', `podcast/v2/shows/${idOf('show')}`), ['show', 'episode']],
  ['the end of a tag', () => write('DELETE', `core/v2/tags/${idOf('tag')}?force=true`), ['tag', 'post']],
  ['the end of a picture', () => write('DELETE', `core/v2/media/${idOf('picture')}?force=true`), ['media', 'post']],
  ['the end of a page with pages below', () => write('DELETE', `core/v2/pages/${idOf('page')}?force=true`), ['page']],
  [
    'the end of a category',
    () => write('DELETE', `core/v2/categories/${idOf('category')}?force=true`),
    ['category', 'post'],
  ],
];

it.each(WRITES)('%s: the next sync finds it, and no later one finds anything', async (_, change, kinds) => {
  await age();
  await sync(FULL_READ_MS);
  await change();
  const found = await sync();
  const foundKinds = new Set(found.changes.map(({ kind }) => kind));
  expect(kinds.filter((kind) => !foundKinds.has(kind))).toEqual([]);
  expect(found.messages).toBe(found.changed ? 1 : 0);
  await settle();
  expect(await sync()).toEqual(NOTHING);
  expect(await sync(FULL_READ_MS)).toEqual(NOTHING);
});
