import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendJson } from '#client/testing/test-server.ts';
import { EPISODE, PLAYER, PODCAST, SHOW, SYNCED_KINDS } from '#contracts/synced/index.ts';
import { createTranscriptReader } from '#catalogue/read-model/product-readers.ts';
import { ASSET_KINDS } from './assets/asset-kinds.ts';
import type { CatalogueChanged } from './hooks/compose-message.ts';
import { startTestReceiver } from './hooks/testing/test-receiver.ts';
import { addPodcast, createAudio, type TestPodcast } from './testing/test-podcast.ts';
import { startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

let upstream: TestUpstream;
let podcast: TestPodcast;

beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [], hooks: [{ name: 'site' }] });
  // Only the publishing site is read.
  delete upstream.upstreams.product;
  podcast = addPodcast(upstream);
});
afterEach(() => upstream.close());

const stored = () => upstream.read((snapshot) => [...snapshot.records('episode')]);
const audioAsset = (id: number) =>
  upstream.read((snapshot) => snapshot.asset(podcast.url(`/audio/${id}.mp3`), 'audio'));
const bytesOf = (file: string | undefined) => readFileSync(path.join(upstream.settings.assetsFolder, file ?? ''));
/** Addresses that the server was asked for since. */
const asked = (from: number) => upstream.server.seen.slice(from).map(({ url }) => url);

it('reads dates of episodes and their pages in the time zone of the site, whatever that of this machine is', async () => {
  upstream.index = { timezone_string: 'America/New_York' };
  const { v2, page } = podcast.add(1);
  v2['publicationDate'] = '2026-01-05 09:00:00';
  Object.assign(page, { modified: '2026-07-05T09:00:00', modified_gmt: '-0001-11-30T00:00:00' });
  for (let run = 0; run < 2; run += 1) {
    const { warnings, problems } = await upstream.sync();
    expect(problems).toEqual([]);
    expect(warnings).toMatchObject([{ kind: 'episode', field: 'modified_gmt', records: ['1'] }]);
  }
  expect(stored()).toMatchObject([{ published: '2026-01-05T14:00:00.000Z', modified: '2026-07-05T13:00:00Z' }]);
});

it('reads the podcast, its episodes with chapters, notes and files, and where to listen', async () => {
  podcast.add(1);
  const { counts, warnings } = await upstream.sync();
  expect(counts).toMatchObject({ podcast: { '': { added: 1 } }, episode: { '': { added: 1 } } });
  expect(warnings).toEqual([]);
  upstream.read((snapshot) => {
    expect([...snapshot.records('podcast')]).toMatchObject([
      { title: 'Wall Notes', summary: 'About walls & more', language: 'de-DE', category: 'Arts > Books' },
    ]);
    expect([...snapshot.records('player')]).toMatchObject([{ clients: [{ id: 'apple-podcasts', service: 'id123' }] }]);
    expect([...snapshot.records('show')]).toEqual([]);
  });
  expect(stored()).toMatchObject([
    {
      id: 1,
      page: 1001,
      slug: 'episode-1',
      html: '<p>Notes 1</p>',
      durationMs: 70_000,
      number: 1,
      chapters: [
        { startMs: 0, title: 'Intro' },
        { startMs: 30_000, href: podcast.url('/01/09524010000016') },
      ],
    },
  ]);
  expect(audioAsset(1)).toMatchObject({ bytes: 70_000, mimeType: 'audio/mpeg', etag: '"s1"' });
  expect(bytesOf(audioAsset(1)?.file)).toEqual(podcast.audioFiles.get('/audio/1.mp3')?.body);
});

it('names one changed chapter as one change of the episode, and sends one message of it', async () => {
  const receiver = await startTestReceiver();
  const environment = {
    SORTIMENT_HOOK_URL: `${receiver.origin}/hook`,
    SORTIMENT_HOOK_SECRET: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
  };
  const [episode] = [podcast.add(1), podcast.add(2)];
  await upstream.sync({ environment });
  const chapters = [
    { start: '00:00:00.000', title: 'Intro', href: '', image: '' },
    { start: '00:00:30.000', title: 'Tapes', href: '/01/09524010000016', image: '' },
  ];
  Object.assign(episode.v1, { chapters });
  podcast.touch(episode, '2026-11-21T09:00:00');
  expect((await upstream.sync({ environment })).changes).toMatchObject([
    {
      kind: 'episode',
      id: '1',
      name: 'Episode 1',
      change: 'changed',
      fields: expect.arrayContaining([{ field: 'chapters[1].title', before: 'Foils', after: 'Tapes' }]),
    },
  ]);
  await upstream.sync({ environment });
  await receiver.close();
  const [, told, ...more] = receiver.received.map(({ body }) => JSON.parse(body) as CatalogueChanged);
  expect(told?.data.counts).toEqual({ episode: { '': { added: 0, changed: 1, removed: 0 } } });
  expect(more).toEqual([]);
});

it('sees an editor’s day: a title, other audio under the same address, the trash, and back', async () => {
  const episode = podcast.add(1);
  for (const id of [2, 3, 4, 5]) podcast.add(id);
  await upstream.sync();

  for (const row of [episode.v2, episode.v1]) Object.assign(row, { title: 'New', title_clean: 'New' });
  podcast.touch(episode, '2026-11-21T08:00:00');
  expect((await upstream.sync()).changes).toMatchObject([{ kind: 'episode', change: 'changed', name: 'New' }]);

  const body = createAudio(80_000, 7);
  podcast.audioFiles.set('/audio/1.mp3', { body, etag: '"new"' });
  podcast.touch(episode, '2026-11-21T08:10:00');
  const replaced = await upstream.sync();
  expect(replaced).toMatchObject({ changed: true, assets: { fetched: 1 } });
  expect(replaced.changes).toMatchObject([
    { kind: 'episode', id: '1' },
    { kind: 'asset', id: podcast.url('/audio/1.mp3'), fields: [{ field: 'content' }] },
  ]);
  expect(bytesOf(audioAsset(1)?.file)).toEqual(body);

  episode.page['status'] = 'trash';
  upstream.lists['episodes'] = (upstream.lists['episodes'] ?? []).filter((row) => row !== episode.page);
  expect((await upstream.sync()).changes).toMatchObject([{ kind: 'episode', id: '1', change: 'removed' }]);
  expect(stored().map(({ id }) => id)).toEqual([2, 3, 4, 5]);

  episode.page['status'] = 'publish';
  upstream.lists['episodes']?.push(episode.page);
  expect((await upstream.sync()).changes).toMatchObject([
    { kind: 'episode', id: '1', change: 'added' },
    { kind: 'asset', id: podcast.url('/audio/1.mp3'), change: 'added' },
  ]);
  expect(bytesOf(audioAsset(1)?.file)).toEqual(body);
});

it('asks for unchanged episodes with one request for each hundred', async () => {
  const count = process.env['SORTIMENT_SOAK'] ? 1000 : 200;
  for (let id = 1; id <= count; id += 1) {
    const { v2 } = podcast.add(id);
    // The audio of some is enough.
    if (id > 20) Object.assign(v2, { audio: [], files: [] });
  }
  await upstream.sync();
  const from = upstream.server.seen.length;
  const { changed, requests } = await upstream.sync();
  expect(changed).toBe(false);
  // The index, three lists of terms and users, two requests each for media, posts and pages, the podcast, its shows, its
  // player, its list; and the dates of the pages.
  expect(requests).toBe(14 + count / 100);
  expect(asked(from).filter((url) => /\/episodes\/\d|\/audio\//.test(url))).toEqual([]);
});

it('finds a change that no page tells of within an hour, and one of a title at once', async () => {
  const [first, second] = [podcast.add(1), podcast.add(2)];
  await upstream.sync();
  first.v2['summary'] = 'Silent';
  Object.assign(second.v2, { title: 'Told' });
  expect((await upstream.sync()).changes).toMatchObject([{ kind: 'episode', id: '2' }]);
  const inAnHour = new Date(Date.now() + 3_600_000);
  expect((await upstream.sync({ now: () => inAnHour })).changes).toMatchObject([
    { kind: 'episode', id: '1', fields: [{ field: 'summary', before: 'Short', after: 'Silent' }] },
  ]);
});

it('is no podcast’s: a server without these namespaces, without shows, without a player', async () => {
  podcast.player = undefined;
  podcast.add(1);
  expect(await upstream.sync()).toMatchObject({ changed: true, warnings: [] });
  const stock = await startTestUpstream({ assortment: () => [] });
  try {
    delete stock.upstreams.product;
    expect(await stock.sync()).toMatchObject({ warnings: [], problems: [] });
    expect(stock.server.seen.map(({ url }) => url).join()).not.toMatch(/podcast|player/);
  } finally {
    await stock.close();
  }
});

it('reads shows, and goes without those of a server that means something else by the word', async () => {
  podcast.shows = [{ id: '3', slug: 'clearing', title: 'Clearing the Air', language: 'en-GB', subtitle: null }];
  podcast.add(1).v2['show'] = 'clearing';
  await upstream.sync();
  const shows = () => upstream.read((snapshot) => [...snapshot.records('show')]);
  expect(shows()).toMatchObject([{ id: 3, slug: 'clearing', language: 'en-GB', subtitle: '' }]);
  podcast.shows = [{ id: 'term', name: 'Clearing the Air' }];
  expect(await upstream.sync()).toMatchObject({
    changed: false,
    warnings: [{ kind: 'show', problem: expect.stringContaining('unknown format') }],
  });
  podcast.shows = undefined;
  expect(await upstream.sync()).toMatchObject({
    warnings: [{ problem: expect.stringContaining('no longer offered') }],
  });
  expect(shows()).toHaveLength(1);
});

it('keeps an episode of which one answer fails, reads it in the next run, and stops when the list fails', async () => {
  const episode = podcast.add(1);
  for (const id of [2, 3, 4, 5]) podcast.add(id);
  await upstream.sync();
  const answer = upstream.fault;
  const failAt = (pattern: RegExp) => {
    upstream.fault = (index, request, response) => {
      if (!pattern.test(request.url ?? '')) return answer?.(index, request, response) ?? false;
      sendJson(response, { code: 'internal_server_error' }, { status: 500 });
      return true;
    };
  };
  Object.assign(episode.v2, { summary: 'Later' });
  podcast.touch(episode, '2026-11-21T08:00:00');
  failAt(/v1\/episodes\/1$/);
  expect(await upstream.sync()).toMatchObject({ changed: false, unreachable: [{ kind: 'episode', records: ['1'] }] });
  upstream.fault = answer;
  expect((await upstream.sync()).changes).toMatchObject([{ kind: 'episode', id: '1', change: 'changed' }]);
  failAt(/podcast\/v2\/podcast/);
  await expect(upstream.sync()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});

it('takes transcripts in three formats, and goes without what is none', async () => {
  const files: [string, string, string][] = [
    ['a.vtt', 'text/vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Anna>Hello &amp; <b>welcome</b>\n'],
    ['b.srt', 'text/plain', '1\n00:00:00,000 --> 00:00:02,000\nAnna: Hello & welcome\n'],
    [
      'c.json',
      'application/json',
      '{"segments":[{"speaker":"Anna","startTime":0,"endTime":2,"body":"Hello & welcome"}]}',
    ],
    ['d.vtt', 'text/vtt', '<!doctype html><script>alert(1)</script>'],
    ['e.vtt', 'text/vtt', 'WEBVTT\n\n00:05.000 --> 00:02.000\nBackwards\n'],
  ];
  for (const [i, [name, type, text]] of files.entries()) {
    upstream.files.set(`/texts/${name}`, { body: Buffer.from(text), type });
    const file = { url: podcast.url(`/texts/${name}`), size: 1, title: 'Transcript', mimeType: type };
    Object.assign(podcast.add(i + 1).v2, { files: [file] });
  }
  const { warnings } = await upstream.sync();
  expect(warnings).toMatchObject([
    { problem: 'is not a transcript, but HTML', records: [podcast.url('/texts/d.vtt')] },
    { problem: expect.stringMatching(/^is not a transcript: line 3 ends at 00:00:02.000, before it begins/) },
  ]);
  const read = createTranscriptReader(upstream.settings.assetsFolder);
  const cues = upstream.read((snapshot) =>
    files
      .map(([name]) => snapshot.asset(podcast.url(`/texts/${name}`), 'transcript')?.digest)
      .map((digest) => digest && read(digest)),
  );
  const said = [{ startMs: 0, endMs: 2000, speaker: 'Anna', text: 'Hello & welcome' }];
  expect(cues).toEqual([said, said, said, undefined, undefined]);
});

it('leaves out an episode without a date, and says so; what else is wrong with a day or an address is left out alone', async () => {
  podcast.add(1);
  podcast.add(2).v2['publicationDate'] = 'yesterday';
  const odd = podcast.add(3);
  Object.assign(odd.v2, { recording_date: '2026-99-99 00:00:00', link: 'javascript:alert(1)//' });
  odd.v1['chapters'] = ['#x', 'javascript:alert(1)', 'data:text/html,x', '/x', 'https://acme.example/x'].map(
    (href, i) => ({ start: String(i), title: '<b>x</b>', href, image: href }),
  );
  const { problems } = await upstream.sync();
  expect(problems).toMatchObject([{ field: 'publicationDate', problem: 'is not a date' }]);
  const title = 'x';
  expect(stored()).toMatchObject([
    { id: 1 },
    {
      id: 3,
      chapters: [
        { startMs: 0, title },
        { startMs: 1000, title },
        { startMs: 2000, title },
        { startMs: 3000, title },
        { startMs: 4000, title, href: 'https://acme.example/x', image: 'https://acme.example/x' },
      ],
    },
  ]);
  expect(stored().map(({ recorded }) => recorded)).toEqual([undefined, undefined]);
  const links = stored().flatMap(({ chapters }) => chapters.map(({ href = '' }) => href));
  expect(links.filter((href) => /^(?:javascript|data):/.test(href))).toEqual([]);
});

it('takes a transcript with a stray paragraph, without it, and names the paragraph', async () => {
  const text = 'WEBVTT\n\n00:00.000 --> 00:02.000\nOne\n\nStray\n\n00:02.000 --> 00:04.000\nTwo\n';
  upstream.files.set('/texts/a.vtt', { body: Buffer.from(text), type: 'text/vtt' });
  const file = { url: podcast.url('/texts/a.vtt'), size: 1, title: 'Transcript', mimeType: 'text/vtt' };
  Object.assign(podcast.add(1).v2, { files: [file] });
  const { warnings } = await upstream.sync();
  expect(warnings).toMatchObject([
    { problem: expect.stringMatching(/^is a transcript with unreadable parts, .* line 6 has no times/) },
  ]);
  const digest = upstream.read((snapshot) => snapshot.asset(file.url, 'transcript')?.digest) ?? '';
  const cues = createTranscriptReader(upstream.settings.assetsFolder)(digest);
  expect(cues.map((cue) => cue.text)).toEqual(['One', 'Two']);
});

it('fetches files from addresses as people write them', async () => {
  const episode = podcast.add(1);
  const vtt = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nOne\n');
  podcast.audioFiles.set('/audio/Folge%202%20%C3%A4.mp3', { body: createAudio(70_000) });
  upstream.files.set('/texts/Folge%202.vtt', { body: vtt, type: 'text/vtt' });
  const audio = { url: podcast.url('/audio/Folge 2 ä.mp3'), size: 70_000, title: 'MP3', mimeType: 'audio/mpeg' };
  const text = { url: podcast.url('/texts/Folge 2.vtt'), size: 1, title: 'Transcript', mimeType: 'text/vtt' };
  const cover = podcast.url('/Bild ä.jpg');
  Object.assign(episode.v2, { audio: [audio], files: [audio, text], episode_poster: cover, poster: cover });
  Object.assign(podcast.podcast, { poster: cover, funding_url: 'https://acme.example/für uns' });
  episode.v1['chapters'] = [{ start: '0', title: 'A', href: 'https://acme.example/a b', image: '/c ä.jpg' }];
  const { warnings } = await upstream.sync();
  // The server has no such pictures; requests for them show the encoded addresses.
  expect(warnings).toMatchObject([
    { records: [podcast.url('/Bild%20%C3%A4.jpg'), podcast.url('/c%20%C3%A4.jpg')], problem: 'answered 404 Not Found' },
  ]);
  expect(stored()).toMatchObject([
    {
      audio: [{ url: podcast.url('/audio/Folge%202%20%C3%A4.mp3') }],
      transcripts: [podcast.url('/texts/Folge%202.vtt')],
      chapters: [{ href: 'https://acme.example/a%20b', image: podcast.url('/c%20%C3%A4.jpg') }],
      cover: podcast.url('/Bild%20%C3%A4.jpg'),
    },
  ]);
  const [record] = upstream.read((snapshot) => [...snapshot.records('podcast')]);
  expect(record?.funding?.url).toBe('https://acme.example/f%C3%BCr%20uns');
  const asset = upstream.read((snapshot) => snapshot.asset(podcast.url('/audio/Folge%202%20%C3%A4.mp3'), 'audio'));
  expect(asset).toMatchObject({ bytes: 70_000, reachable: true });
});

it('goes without single chapters, files and addresses that can’t be read, and names each', async () => {
  const episode = podcast.add(1);
  episode.v1['chapters'] = [
    { start: '00:00:30.000', title: 'End', href: null, image: null },
    { start: '00:00:00.000', title: 'Intro' },
    { start: '00:00:20,500', title: 'Comma', href: '', image: '' },
    { start: 'soon', title: 'Some time', href: '', image: '' },
    { start: '00:01:10.000', title: 'Behind the end', href: '', image: '' },
    null,
  ];
  const audio = { url: podcast.url('/audio/1.mp3'), size: 70_000, title: 'MP3', mimeType: 'audio/mpeg' };
  Object.assign(episode.v2, {
    audio: [{ ...audio, url: 'file:///audio/1.mp3' }, { ...audio, size: null }, audio],
    license_url: 'see imprint',
    license_name: 'CC BY',
    soundbite_start: '0:01',
    soundbite_duration: '0:12',
  });
  const { warnings, problems } = await upstream.sync();
  expect(problems).toEqual([]);
  expect(warnings.map(({ field, problem }) => `${field} ${problem}`).toSorted()).toEqual([
    'audio[].size is not a number',
    'audio[].url is not a web address such as https://example.org/',
    'chapters[] begins at 00:01:10.000, but the episode ends at 00:01:10.000',
    'chapters[] is not an object',
    'chapters[].start is not a play time such as 01:02:03.456, so the chapter is left out',
    'license_url is not a web address such as https://example.org/',
    'soundbite_duration is 12 seconds; podcast apps expect soundbites of 15 to 120 seconds',
  ]);
  expect(stored()).toMatchObject([
    {
      audio: [{ url: podcast.url('/audio/1.mp3') }],
      chapters: [
        { startMs: 0, title: 'Intro' },
        { startMs: 20_500, title: 'Comma' },
        { startMs: 30_000, title: 'End' },
      ],
      license: { name: 'CC BY', url: '' },
      soundbite: { startMs: 1000, durationMs: 12_000 },
    },
  ]);
});

it('finds the podcast of a site that an earlier version has read without it', async () => {
  podcast.add(1);
  const ofPodcast = new Set<string>([PODCAST, SHOW, PLAYER, EPISODE].map(({ kind }) => kind));
  const content = SYNCED_KINDS.filter(({ kind }) => !ofPodcast.has(kind));
  await upstream.sync({ kinds: { content, assets: ASSET_KINDS.filter(({ kind }) => kind !== 'audio') } });
  expect(stored()).toEqual([]);
  expect((await upstream.sync()).changes.map(({ kind, change }) => `${change} ${kind}`)).toEqual([
    'added episode',
    'added player',
    'added podcast',
    'added asset',
  ]);
  expect(audioAsset(1)).toMatchObject({ bytes: 70_000 });
});

it('guards episodes against a list that has lost most of them', async () => {
  for (let id = 1; id <= 10; id += 1) podcast.add(id);
  await upstream.sync();
  for (const { page } of podcast.episodes.slice(1)) page['status'] = 'trash';
  upstream.lists['episodes'] = upstream.lists['episodes']?.slice(0, 1) ?? [];
  await expect(upstream.sync()).rejects.toMatchObject({
    code: 'CHANGES_REFUSED',
    message: expect.stringContaining('9 of 10 episode records would be removed'),
  });
});
