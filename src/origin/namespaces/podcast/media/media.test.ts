import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { makeFrames, makeTagHead } from '#origin/platform/audio/testing/make-audio.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { updatePodcastRecord } from '../podcast-record.ts';
import { podcastAsset } from '../tables.ts';
import { OPEN_TIMEOUT_MS, openPodcastSite, type Body, type PodcastSite } from '../testing/podcast-site.ts';

let site: PodcastSite;
/** Another server with files. */
let host: Server;
let base = '';
let asked: string[] = [];

/** The check of a file that is missing, answered when a test says so. */
const openLateCheck = () => ({ asked: Promise.withResolvers<void>(), answer: Promise.withResolvers<void>() });
let lateCheck = openLateCheck();

const REMOTE: Record<string, (send: (status: number, headers?: Record<string, string | number>) => void) => void> = {
  'there.mp3': (send) => send(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': 5000, ETag: '"one"' }),
  'unknown.mp3': (send) => send(200, { 'Content-Type': 'audio/mpeg', 'Transfer-Encoding': 'chunked' }),
  'huge.mp3': (send) => send(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': 4 * 1024 ** 3 }),
  'page.mp3': (send) => send(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': 100 }),
  'gone.mp3': (send) => send(410),
  'late.mp3': (send) => {
    lateCheck.asked.resolve();
    void lateCheck.answer.promise.then(() => send(404));
  },
  'circle.mp3': (send) => send(302, { Location: 'circle.mp3' }),
};

beforeAll(async () => {
  host = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers['if-none-match'] ?? ''}`.trim());
    const name = (request.url ?? '').slice(1);
    const isKnown = name === 'there.mp3' && request.headers['if-none-match'] === '"one"';
    const send = (status: number, headers = {}) => void response.writeHead(status, headers).end();
    if (isKnown) send(304);
    else (REMOTE[name] ?? ((refuse) => refuse(404)))(send);
  });
  await new Promise<void>((opened) => void host.listen(0, '127.0.0.1', opened));
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  // Only this server may be on loopback; everything else is checked as ever.
  const readRemote: typeof guardedFetch = (address, options) =>
    guardedFetch(address, { ...options, allowPrivate: String(address).startsWith(base) });
  site = await openPodcastSite({ readRemote });
}, OPEN_TIMEOUT_MS);
afterAll(async () => {
  await site.close();
  host.close();
});

const change = (values: Parameters<typeof updatePodcastRecord>[1]) =>
  updatePodcastRecord({ context: site.context }, values);
const read = async (id: number) => (await site.send('GET', `podcast/v2/episodes/${id}`, undefined, 'editor')).body;
const media = async (id: number) =>
  (await site.send('GET', `podcast/v2/episodes/${id}/media`, undefined, 'editor')).body['results'] as Body[];
const messageCount = async () => (await site.context.store.db.select().from(outbox)).length;

const enableRemote = async (slug: string) => {
  const { id } = await site.addEpisode(slug);
  asked = [];
  return { id, answer: await site.enable(id) };
};

describe('a file that belongs to an episode', () => {
  test('is uploaded under its own name, found, played, and checked again after it was replaced', async () => {
    const { id, page } = await site.addEpisode('own-name');
    const uploaded = await site.upload(page, 'own-name.mp3', makeFrames(100));
    expect(uploaded).toMatchObject({
      status: 201,
      body: { post: page, source_url: `${site.context.publicUrl}/uploads/podcast/own-name.mp3` },
    });
    expect(await media(id)).toMatchObject([{ enable: false }]);
    expect(await site.verify(id)).toEqual({
      status: 'ok',
      file_size: 41_700,
      file_url: uploaded.body['source_url'],
      active: true,
      slug_frozen: true,
    });
    const file = { size: 41_700, mimeType: 'audio/mpeg' };
    expect(await read(id)).toMatchObject({
      audio: [{ ...file, title: 'MP3 Audio (mp3)' }],
      files: [{ ...file, title: 'MP3 Audio' }],
      duration: '00:00:00.000',
    });

    // An unchanged file is not announced.
    const before = await messageCount();
    await site.verify(id);
    expect(await messageCount()).toBe(before);
    await site.send('DELETE', `core/v2/media/${uploaded.body.id}?force=true`, undefined, 'editor');
    await site.upload(page, 'own-name.mp3', makeFrames(200));
    const told = await messageCount();
    expect(await site.verify(id)).toMatchObject({ file_size: 83_400 });
    expect(await messageCount()).toBe(told + 1);
    expect(await read(id)).toMatchObject({ audio: [{ size: 83_400 }] });
  });

  test('gives its duration to an episode that has none, where the podcast says so', async () => {
    await site.send('PUT', 'podcast/v2/podcast', { read_durations: true }, 'administrator');
    const { id, page } = await site.addEpisode('timed', { audio: makeFrames(100) });
    expect(await read(id)).toMatchObject({ duration: '00:00:02.606' });
    const { body } = await site.send('GET', `core/v2/media?parent=${page}`, undefined, 'editor');
    const [{ id: old }] = body as unknown as [Body];
    await site.send('DELETE', `core/v2/media/${old}?force=true`, undefined, 'editor');
    await site.upload(page, 'timed.mp3', makeFrames(200));
    await site.verify(id);
    expect(await read(id)).toMatchObject({ duration: '00:00:05.213' });
    const written = await site.addEpisode('written', { fields: { duration: '1:00' }, audio: makeFrames(100) });
    expect(await read(written.id)).toMatchObject({ duration: '00:01:00.000' });
    await site.send('PUT', 'podcast/v2/podcast', { read_durations: false }, 'administrator');
  });

  test('that is not audio is not enabled, and the message says why', async () => {
    const { id, page } = await site.addEpisode('no-audio');
    const sent = await site.upload(page, 'no-audio.mp3', Buffer.from('<!doctype html><script>alert(1)</script>'));
    expect(sent).toMatchObject({ status: 400, body: { code: 'rest_upload_unknown_error' } });
    expect(await site.enable(id)).toMatchObject({ message: expect.stringContaining('no-audio.mp3'), active: false });
    // A file that was not uploaded through the interface is checked all the same.
    const uploads = site.context.files.uploads;
    for (const bytes of [Buffer.from('<html>no audio</html>'), makeTagHead(100 * 1024 * 1024), Buffer.alloc(0)]) {
      await uploads.put('podcast/no-audio.mp3', bytes);
      expect(await site.verify(id)).toMatchObject({ message: expect.stringMatching(/MP3 Audio|is empty/) });
    }
    expect(await media(id)).toMatchObject([{ enable: false }]);
    expect(await read(id)).toMatchObject({ audio: [], files: [] });
  });

  test('without a slug has no name', async () => {
    const { id } = await site.addEpisode('', { fields: { title: 'No slug' }, page: { status: 'draft' } });
    for (const answer of [await site.enable(id), await site.verify(id)])
      expect(answer).toMatchObject({ message: expect.stringContaining('slug'), active: false });
    expect(await media(id)).toMatchObject([{ enable: false }]);
  });

  test('can only be enabled by editors of the episode, for assets that exist', async () => {
    const { id } = await site.addEpisode('guarded');
    const enable = (asset: number, as?: 'contributor' | 'editor') =>
      site.send('PUT', `podcast/v2/episodes/${id}/media/${asset}/enable`, {}, as);
    const [{ asset_id: asset }] = (await media(id)) as unknown as [{ asset_id: number }];
    expect([(await enable(asset)).status, (await enable(asset, 'contributor')).status]).toEqual([401, 403]);
    expect((await enable(999, 'editor')).body.code).toBe('rest_not_found');
  });
});

test('of several files, players get one of each kind, and video instead of audio', async () => {
  const { db } = site.context.store;
  const add = (fileType: string, suffix = '') =>
    db.insert(podcastAsset).values({ title: fileType, identifier: fileType + suffix, fileType, suffix, position: 1 });
  await add('opus');
  await add('mp3', '-low');
  await add('vtt');
  const { id } = await site.addEpisode('several', { audio: makeFrames(100) });
  const { uploads } = site.context.files;
  await uploads.put('podcast/several-low.mp3', makeFrames(50));
  await uploads.put('podcast/several.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'));
  const opus = Buffer.alloc(80);
  opus.write('OggS', 'latin1');
  opus.writeUInt8(1, 26);
  opus.write('OpusHead', 28, 'latin1');
  await uploads.put('podcast/several.opus', opus);
  for (const { asset_id } of (await media(id)) as unknown as { asset_id: number }[])
    await site.send('PUT', `podcast/v2/episodes/${id}/media/${asset_id}/enable`, {}, 'editor');
  const titles = async (field: string) =>
    ((await read(id))[field] as { title: string; url: string }[]).map(({ url }) => url.split('/').at(-1));
  expect(await titles('audio')).toEqual(['several.opus', 'several.mp3']);
  expect(await titles('files')).toEqual(['several.mp3', 'several.opus', 'several-low.mp3', 'several.vtt']);
  await add('mp4');
  await uploads.put('podcast/several.mp4', Buffer.from('a film'));
  const film = (await media(id)).at(-1) as unknown as { asset_id: number };
  await site.send('PUT', `podcast/v2/episodes/${id}/media/${film.asset_id}/enable`, {}, 'editor');
  expect(await titles('audio')).toEqual(['several.mp4']);
});

describe('files that lie elsewhere', () => {
  beforeAll(() => change({ media_base: base }));
  afterAll(() => change({ media_base: null }));

  test('are checked by HEAD, then by conditional requests', async () => {
    const { id, answer } = await enableRemote('there');
    expect(answer).toMatchObject({ file_size: 5000, file_url: `${base}there.mp3`, active: true, slug_frozen: true });
    expect(await site.verify(id)).toMatchObject({ file_size: 5000 });
    expect(asked).toEqual(['HEAD', 'HEAD "one"']);
    expect((await enableRemote('unknown')).answer).toMatchObject({ file_size: 1, active: true });
  });

  test.each([
    ['gone', '410'],
    ['page', 'text/html'],
    ['huge', '4294967296 bytes'],
    ['circle', 'redirects more than'],
  ])('are not offered when they are not there: %s', async (slug, why) => {
    const { id, answer } = await enableRemote(slug);
    expect(answer).toMatchObject({ message: expect.stringContaining(why), active: false });
    expect(await read(id)).toMatchObject({ audio: [], slug_frozen: false });
  });

  test.each(['http://169.254.169.254/latest/', 'http://10.0.0.1/', 'http://files.internal/', 'http://[::1]:8080/'])(
    'are not asked for inside of networks: %s',
    async (inside) => {
      await change({ media_base: inside });
      const { answer } = await enableRemote('inside');
      expect(answer).toMatchObject({ message: expect.stringContaining('is not fetched'), active: false });
      await change({ media_base: base });
    },
  );

  describe('and are checked slowly, while the episode gets another slug', () => {
    const rename = (id: number, fields: object) => site.send('PUT', `podcast/v2/episodes/${id}`, fields, 'editor');

    test('are those of the new slug', async () => {
      lateCheck = openLateCheck();
      const { id } = await site.addEpisode('renamed');
      const first = rename(id, { slug: 'late' });
      await lateCheck.asked.promise;
      expect((await rename(id, { slug: 'there' })).status).toBe(200);
      lateCheck.answer.resolve();
      expect((await first).status).toBe(200);
      expect((await media(id))[0]).toMatchObject({ enable: true, size: 5000, url: `${base}there.mp3` });
    });

    test.each(['verify', 'enable'] as const)('are checked again by who asked to %s one', async (action) => {
      lateCheck = openLateCheck();
      const { id } = await site.addEpisode('late');
      const answer = site[action](id);
      await lateCheck.asked.promise;
      await rename(id, { slug: 'there', skip_validation: true });
      lateCheck.answer.resolve();
      expect(await answer).toMatchObject({ file_size: 5000, file_url: `${base}there.mp3`, slug_frozen: true });
    });
  });

  test('stay enabled while their server is down', async () => {
    const { id } = await enableRemote('there');
    await change({ media_base: 'http://127.0.0.1:9/' });
    expect(await site.verify(id)).toMatchObject({ file_size: 5000, active: true });
    await change({ media_base: base });
  });
});
