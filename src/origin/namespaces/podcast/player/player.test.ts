import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { THEME_PRESETS } from '#contracts/player/config.ts';
import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { cpuMs, lowestMeasurement, longestTurnMs } from '#files/testing/measure-cpu.ts';
import { option } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { podcastAsset, podcastEpisode, podcastMediaFile, podcastShow } from '../tables.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const read = async (path: string, as?: Role) => site.fetch(`/player/${path}`, as ? { as } : {});
const send = async (method: string, path: string, body: object = {}, as: Role = 'administrator') =>
  site.fetch(`/player/5.9.2/${path}`, {
    method,
    as,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);

const BUTTON = { feed: 'mp3', clients: [{ id: 'rss', service: null }] };
const SHARE = { channels: ['mail', 'link'], outlet: '/share.html', sharePlaytime: false };
const CONFIG = { 'subscribe-button': BUTTON, share: SHARE, activeTab: 'files' };
const DARK = THEME_PRESETS['dark'];

describe('who manages the site', () => {
  test('makes configurations, themes and templates, which everybody may read', async () => {
    const related = { 'related-episodes': { source: 'disabled', value: null } };
    expect((await send('POST', 'config/one', CONFIG)).body).toEqual({ ...CONFIG, ...related });
    expect((await send('POST', 'theme/dark', DARK)).body).toEqual(DARK);
    expect((await send('POST', 'template/line', { template: '<root></root>' })).body).toBe('<root></root>');
    const defaults = { config: 'one', theme: 'dark', template: 'line' };
    expect((await send('POST', 'settings', { source: 'cdn', defaults })).body).toMatchObject({ defaults });
    expect((await read('options')).body).toMatchObject({
      settings: { source: { selected: 'cdn' }, enclosure: null, defaults },
      configs: { one: CONFIG, default: {} },
      themes: { dark: DARK, default: {} },
      templates: { line: '<root></root>' },
    });
    expect((await read('5.9.2/bootstrap', 'administrator')).body).toMatchObject({
      configs: { one: CONFIG },
      presets: { themes: { dark: DARK } },
    });
  });

  test('writes what the address names, whatever id is sent with it', async () => {
    const sent = { ...CONFIG, id: 'default', template: '', tokens: {}, fonts: {} };
    for (const part of ['config', 'template'])
      expect(await send('POST', `${part}/one`, sent)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      });
    expect(await send('DELETE', 'config/one?id=line')).toMatchObject({ status: 400 });
  });

  test('deletes them; what used one falls back to the default, which stays', async () => {
    for (const path of ['config/one', 'theme/dark', 'template/line', 'template/none'])
      expect((await send('DELETE', path)).body).toBe(true);
    const left = (await read('options')).body;
    expect(left).toMatchObject({
      settings: { defaults: { config: 'default', theme: 'default', template: 'default' } },
    });
    expect(left).not.toHaveProperty('configs.one');
    for (const path of ['config/default', 'theme/default', 'template/default'])
      expect(await send('DELETE', path)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  test('finds nothing under an id with capital letters', async () => {
    expect(await send('POST', 'config/ABC', CONFIG)).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
    expect((await send('DELETE', 'config/ABC')).status).toBe(400);
    expect((await read('options')).body).not.toHaveProperty('configs.ABC');
  });

  test('changes two things at once, and both are kept, though nothing was before', async () => {
    for (let round = 0; round < 20; round += 1) {
      await site.context.store.db.delete(option).where(eq(option.name, 'player'));
      await Promise.all([send('POST', 'config/one', CONFIG), send('POST', 'theme/dark', DARK)]);
      expect((await read('options')).body).toMatchObject({ configs: { one: CONFIG }, themes: { dark: DARK } });
    }
  });

  test('gets an error when there are too many', async () => {
    const templates = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`t${i}`, '<root></root>']));
    await site.context.store.db.update(option).set({ value: { templates } }).where(eq(option.name, 'player'));
    const answer = await send('POST', 'template/more', { template: '' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(answer.text).toContain('Delete one first');
    expect((await send('POST', 'template/t1', { template: 'changed' })).body).toBe('changed');
  });
});

test('rejects invalid input first, then callers without the right', async () => {
  for (const [method, path, body] of [
    ['POST', 'config/two', CONFIG],
    ['DELETE', 'theme/dark', {}],
    ['POST', 'settings', { source: 'local' }],
  ] as const) {
    expect(await send(method, path, body, 'editor')).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  }
  expect((await read('5.9.2/bootstrap')).status).toBe(401);
  expect((await send('POST', 'config/two', {}, 'editor')).body).toMatchObject({ code: 'rest_missing_callback_param' });
  expect((await send('POST', 'template/two', { template: null }, 'editor')).body).toMatchObject({
    code: 'rest_missing_callback_param',
    data: { params: ['template'] },
  });
});

describe('a player', () => {
  test('reads an episode by the id of its page, with its show, and which ones come next', async () => {
    const { db } = site.context.store;
    const [show] = await db
      .insert(podcastShow)
      .values({ slug: 'deutsch', guid: 'd', title: 'Dicht', subtitle: 'Folgen', language: 'de-DE' })
      .returning();
    const first = await addEpisode({ date: '2026-02-01 08:00:00', title: 'First' }, { guid: '1', duration: '1:05' });
    const second = await addEpisode(
      { date: '2026-02-02 08:00:00', title: 'Second' },
      { guid: '2', showId: show?.id, chapters: [{ startMs: 60_000, title: 'More' }] },
    );
    const locked = await addEpisode({ password: 'x' }, { guid: '3' });
    const draft = await addEpisode({ status: 'draft' }, { guid: '4' });

    const address = `${site.context.publicUrl}/rest/player/shortcode/publisher`;
    expect((await read('shortcode/podcast')).body).toEqual([
      { title: 'Second', episode: second, config: `${address}/${second}`, duration: '00:00:00.000' },
      { title: 'First', episode: first, config: `${address}/${first}`, duration: '00:01:05.000' },
    ]);
    expect((await read('shortcode/show/deutsch')).body).toMatchObject([{ episode: second }]);
    expect((await read('shortcode/show/none')).body).toEqual([]);
    expect((await read('5.9.2/shows', 'administrator')).body).toMatchObject([{ slug: 'deutsch', count: 1 }]);
    expect((await read(`shortcode/publisher/${second}`)).body).toMatchObject({
      version: 5,
      show: { title: 'Dicht', subtitle: 'Folgen', poster: '' },
      title: 'Second',
      publicationDate: '2026-02-02T08:00:00+01:00',
      chapters: [{ start: '00:01:00.000', title: 'More', href: '', image: '' }],
      audio: [],
    });
    const post = await site.addContent({});
    // Drafts are indistinguishable from missing episodes.
    for (const id of [locked, draft, post, 4711]) {
      expect((await read(`shortcode/publisher/${id}`)).status).toBe(401);
      expect((await read(`shortcode/publisher/${id}`, 'subscriber')).status).toBe(403);
      const isThere = [locked, draft].includes(id);
      expect((await read(`shortcode/publisher/${id}`, 'editor')).status).toBe(isThere ? 200 : 404);
    }
  });

  test('gets a configuration and theme for any id', async () => {
    await send('POST', 'settings', { source: 'local' });
    await send('POST', 'config/two', { ...CONFIG, 'related-episodes': { source: 'show', value: 'deutsch' } });
    await send('POST', 'theme/dark', DARK);
    const base = `${site.context.publicUrl}/player/`;
    const shown = (await read('shortcode/config/two/theme/dark')).body;
    expect(shown).toMatchObject({
      version: 5,
      'subscribe-button': BUTTON,
      share: { outlet: `${base}share.html` },
      playlist: `${site.context.publicUrl}/rest/player/shortcode/show/deutsch`,
      theme: DARK,
      base,
    });
    expect((await read('shortcode/config/two/theme/dark/12/34.json')).body).toEqual(shown);
    const usual = await read('shortcode/config/default/theme/default');
    expect(usual.body).toMatchObject({ 'subscribe-button': null });
    for (const path of ['config/none/theme/none', 'config/constructor/theme/toString'])
      expect((await read(`shortcode/${path}`)).body).toEqual(usual.body);
  });

  test('reads the transcript of an episode, if it is readable', async () => {
    const { db } = site.context.store;
    const page = await addEpisode({}, { guid: '5', slug: 'said' });
    const [episode] = await db.select().from(podcastEpisode).where(eq(podcastEpisode.contentId, page));
    const [asset] = await db
      .insert(podcastAsset)
      .values({ title: 'Transcript', identifier: 'vtt', fileType: 'vtt' })
      .returning();
    const file = { episodeId: episode?.id ?? 0, assetId: asset?.id ?? 0, size: 100 };
    await db.insert(podcastMediaFile).values(file);
    expect((await read(`shortcode/publisher/${page}`)).body).not.toHaveProperty('transcripts');
    const words = 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Anna>Good morning\n';
    await site.context.files.uploads.put('podcast/said.vtt', Buffer.from(words));
    expect((await read(`shortcode/publisher/${page}`)).body).toMatchObject({
      transcripts: [{ start: '00:00:01.000', end_ms: 2500, voice: 'Anna', text: 'Good morning' }],
    });
  });

  test('reads a long transcript without blocking others, and once as long as its file is the same', async () => {
    const { db } = site.context.store;
    const page = await addEpisode({}, { guid: '6', slug: 'long' });
    const [episode] = await db.select().from(podcastEpisode).where(eq(podcastEpisode.contentId, page));
    const [asset] = await db.select().from(podcastAsset).where(eq(podcastAsset.identifier, 'vtt'));
    await db.insert(podcastMediaFile).values({ episodeId: episode?.id ?? 0, assetId: asset?.id ?? 0, size: 100 });
    const write = async (cues: number, said: string) => {
      const blocks = Array.from(
        { length: cues },
        (_, n) => `${time(n)} --> ${time(n + 1)}\n<v Anna>${said} &amp; more\n`,
      );
      const words = `WEBVTT\n\n${blocks.join('\n')}`;
      await site.context.files.uploads.put('podcast/long.vtt', Buffer.from(words));
      return words;
    };
    const address = `${site.context.publicUrl}/rest/player/shortcode/publisher/${page}`;
    const ask = async () => (await fetch(address)).arrayBuffer();

    const words = await write(50_000, 'words');
    const parsing = cpuMs(() => void parseTranscript('webvtt', words));
    expect(await lowestMeasurement(() => longestTurnMs(ask()), parsing * 0.7)).toBeLessThan(parsing * 0.7);

    const reads = vi.spyOn(site.context.files.uploads, 'read');
    await write(100, 'one');
    const [first] = await Promise.all([ask(), ask(), ask()]);
    expect(Buffer.from(first).toString()).toContain('one & more');
    expect(reads).toHaveBeenCalledTimes(1);
    await write(100, 'another');
    expect(Buffer.from(await ask()).toString()).toContain('another & more');
    reads.mockRestore();
  });

  test('reads a post with the audio that was uploaded to it', async () => {
    const id = await site.addContent({ title: 'On the roof', slug: 'on-the-roof' });
    const [mimeType, file] = ['audio/mpeg', '2026/01/roof.mp3'];
    const mediaDetails = { length: 83, filesize: 4711 };
    await site.addContent({ type: 'attachment', status: 'inherit', parentId: id, mimeType, file, mediaDetails });
    expect((await read(`shortcode/post/${id}`)).body).toMatchObject({
      title: 'On the roof',
      duration: '00:01:23.000',
      link: `${site.context.publicUrl}/on-the-roof/`,
      poster: false,
      audio: [{ mimeType, size: 4711, url: `${site.context.publicUrl}/uploads/${file}` }],
    });
    const silent = await site.addContent({ type: 'page' });
    expect((await read(`shortcode/post/${silent}`)).body).toMatchObject({ duration: null, audio: [{ url: '' }] });
  });

  test('reads no post that the caller may not read', async () => {
    const locked = await site.addContent({ password: 'x' });
    const draft = await site.addContent({ status: 'draft' });
    for (const id of [locked, draft, 4711]) {
      expect((await read(`shortcode/post/${id}`)).status).toBe(401);
      expect((await read(`shortcode/post/${id}`, 'subscriber')).status).toBe(403);
      expect((await read(`shortcode/post/${id}`, 'editor')).status).toBe(id === 4711 ? 404 : 200);
    }
  });
});

async function addEpisode(
  page: Parameters<TestSite['addContent']>[0],
  episode: Omit<typeof podcastEpisode.$inferInsert, 'contentId'>,
): Promise<number> {
  const contentId = await site.addContent({ type: 'podcast', ...page });
  await site.context.store.db.insert(podcastEpisode).values({ contentId, ...episode });
  return contentId;
}
