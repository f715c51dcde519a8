import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podcastGuid } from '#contracts/podcast/feed-document.ts';
import { publishingInterface } from '#origin/server/publishing/publishing-interface.ts';
import { updatePodcastRecord } from '../podcast-record.ts';
import { podcastFeed } from '../tables.ts';
import { OPEN_TIMEOUT_MS } from '../testing/podcast-site.ts';
import { AUDIO, HOSTILE, openFeedSite, type FeedSite } from './testing/feed-site.ts';

let site: FeedSite;
beforeAll(async () => {
  site = await openFeedSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const write: FeedSite['write'] = (method, path, body) => site.write(method, path, body);
const readFeed: FeedSite['readFeed'] = (path) => site.readFeed(path);
const setFeed = (values: Partial<typeof podcastFeed.$inferInsert>) =>
  site.context.store.db.update(podcastFeed).set(values).where(eq(podcastFeed.slug, 'mp3'));
const change = (values: Parameters<typeof updatePodcastRecord>[1]) =>
  updatePodcastRecord({ context: site.context }, values);

const guidAt = async (path: string) => (await readFeed(path)).channel['podcast:guid'];
const statusOf = async (given: Record<string, string>) => (await site.visit('/feed/mp3/', given)).status;
const titles = async (path?: string) => (await readFeed(path)).items.map(({ title }) => title);

describe('the feed', () => {
  test('has all fields of the podcast and of an episode, and escapes every text', async () => {
    const { channel, items } = await readFeed();
    expect(channel).toMatchObject({
      title: HOSTILE,
      description: 'Notes on walls',
      language: 'de-CH',
      'podcast:medium': 'podcast',
      'podcast:locked': { '#text': 'no', '@owner': 'crew@example.test' },
      'podcast:funding': { '#text': HOSTILE, '@url': 'https://example.org/give?a=1&b=2' },
      'itunes:owner': { 'itunes:name': 'Acme Crew', 'itunes:email': 'crew@example.test' },
      'itunes:summary': HOSTILE,
      'itunes:category': { '@text': 'Arts', 'itunes:category': { '@text': 'Fashion & Beauty' } },
      'itunes:image': { '@href': 'https://example.org/cover.jpg' },
    });
    expect(items.map(({ title }) => title)).toEqual(['Newer', HOSTILE, 'older']);
    const { publicUrl } = site.context;
    expect(items[1]).toMatchObject({
      link: `${publicUrl}/full/`,
      pubDate: 'Tue, 03 Feb 2026 07:00:00 +0000',
      guid: { '#text': 'own-guid-1', '@isPermaLink': 'false' },
      description: HOSTILE,
      enclosure: { '@url': expect.stringMatching(/\/full\.mp3$/), '@length': '41700', '@type': 'audio/mpeg' },
      'itunes:duration': '01:02:03',
      'itunes:season': '2',
      'itunes:episode': '7',
      'itunes:episodeType': 'bonus',
      'itunes:explicit': 'true',
      'podcast:soundbite': { '#text': HOSTILE, '@startTime': '60.000', '@duration': '30.500' },
      'podcast:chapters': { '@url': `${publicUrl}/full/?chapters_format=pijson` },
      'podcast:transcript': {
        '@url': `${publicUrl}/uploads/podcast/full.vtt`,
        '@type': 'text/vtt',
        '@language': 'de-CH',
      },
      'psc:chapters': { 'psc:chapter': [{ '@title': 'Intro' }, { '@start': '00:01:00.500', '@title': HOSTILE }] },
      'content:encoded': expect.stringContaining('<p>Notes with <a href="https://example.org/">a link</a></p>'),
    });
    expect(items[0]).not.toHaveProperty('podcast:chapters');
    const chapters = await site.visit('/full/?chapters_format=pijson');
    expect(await chapters.json()).toMatchObject({ chapters: [{ startTime: 0, title: 'Intro' }, { startTime: 60.5 }] });
  });

  test('has one address; others redirect there or answer 404', async () => {
    const { xml, headers } = await readFeed();
    expect(headers.get('content-type')).toBe('application/rss+xml; charset=UTF-8');
    expect((await readFeed('/?feed=mp3')).xml).toBe(xml);
    expect((await readFeed('/feed/mp3/?paged=1')).xml).toBe(xml);
    const head = await site.visit('/feed/mp3/', {}, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', headers.get('etag')]);
    const bare = await site.visit('/feed/mp3');
    expect([bare.status, bare.headers.get('location')]).toEqual([301, `${site.context.publicUrl}/feed/mp3/`]);
    const unknown = ['/feed/nothing/', '/?feed=nothing', '/feed/mp3/2/', '/feed/mp3/?paged=2', '/feed/mp3/?paged=x'];
    const unreadable = ['/?feed=%00', '/feed/%00/', '/show/%00/feed/mp3/', '/feed/%ff/'];
    for (const path of [...unknown, ...unreadable])
      expect([path, (await site.visit(path)).status]).toEqual([path, 404]);
  });

  test('answers a thousand conditional requests with 304', async () => {
    const { etag, headers } = await readFeed();
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const answers = Array.from({ length: 50 }, () => site.visit('/feed/mp3/', { 'if-none-match': etag }));
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
    expect([...statuses]).toEqual([304]);
    const modified = headers.get('last-modified') ?? '';
    expect(await statusOf({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect(await statusOf({ 'if-modified-since': modified })).toBe(304);
    expect(await statusOf({ 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' })).toBe(200);
  }, 60_000);

  test('has the same bytes in every process', async () => {
    const { xml, etag } = await readFeed();
    const other = await publishingInterface(site.context).request('/feed/mp3/');
    expect([await other.text(), other.headers.get('etag')]).toEqual([xml, etag]);
  });

  test('changes with each write that shows in it, and only then', async () => {
    const seen = new Set([(await readFeed()).etag]);
    const writes: [method: string, path: string, body: object][] = [
      ['PUT', 'podcast/v2/podcast', { subtitle: 'Other notes' }],
      ['PUT', `podcast/v2/episodes/${site.full.id}`, { subtitle: 'Other words' }],
      ['PUT', `podcast/v2/chapters/${site.full.id}`, { chapters: [{ start: '5', title: 'Only one' }] }],
      ['POST', `core/v2/episodes/${site.full.page}`, { content: '<p>Other notes</p>' }],
      ['PUT', `podcast/v2/episodes/${site.full.id}/media/1/disable`, {}],
      ['PUT', `podcast/v2/episodes/${site.full.id}/media/1/enable`, {}],
    ];
    for (const [method, path, body] of writes) {
      await write(method, path, body);
      const { etag } = await readFeed();
      // Enabling brings back what was there, with another date.
      expect([path, seen.has(etag) && !path.endsWith('enable')]).toEqual([path, false]);
      seen.add(etag);
    }
    const { etag } = await readFeed();
    await site.send('POST', 'core/v2/posts', { title: 'A post', status: 'publish' }, 'editor');
    await site.send('POST', 'podcast/v2/episodes', {}, 'editor');
    expect((await readFeed()).etag).toBe(etag);
  });

  test('lists what is published with a file: no drafts, private, scheduled, locked or trashed ones', async () => {
    const before = await titles();
    const later = { status: 'publish', date: '2035-01-01T00:00:00' };
    for (const page of [{ status: 'draft' }, { status: 'private' }, later, { status: 'publish', password: 'x' }])
      await site.addEpisode(`hidden-${JSON.stringify(page).replace(/\W+/g, '-')}`.slice(0, 40), { audio: AUDIO, page });
    await site.addEpisode('without-file');
    const missing = await site.addEpisode('missing-file');
    await site.verify(missing.id);
    expect(await titles()).toEqual(before);
    const gone = await site.addEpisode('gone', { audio: AUDIO });
    expect(await titles()).toEqual(['gone', ...before]);
    await write('DELETE', `podcast/v2/episodes/${gone.id}`, {});
    expect(await titles()).toEqual(before);
  });

  test('has pages when it is limited, and each links to the others', async () => {
    await change({ limit_items: 2 });
    const [first, second] = [await readFeed(), await readFeed('/feed/mp3/?paged=2')];
    expect([first.items.length, second.items.length]).toEqual([2, 1]);
    expect((await site.visit('/feed/mp3/?paged=3')).status).toBe(404);
    const links = (feed: typeof first) =>
      feed.channel['atom:link'].map((link) => `${String(link['@rel'])} ${String(link['@href']).split('/').at(-1)}`);
    expect(links(first)).toEqual(['self ', 'first ', 'next ?paged=2', 'last ?paged=2']);
    expect(links(second)).toEqual(['self ?paged=2', 'first ', 'prev ', 'last ?paged=2']);
    await setFeed({ limitItems: -1 });
    expect((await readFeed()).items).toHaveLength(3);
    await setFeed({ limitItems: 0 });
    await change({ limit_items: 0 });
  });

  test('redirects as configured, but not feed checkers, and never in a circle', async () => {
    await setFeed({ redirectUrl: 'https://feeds.example/walls', redirectStatus: 307 });
    const answer = await site.visit('/feed/mp3/');
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'https://feeds.example/walls']);
    for (const [path, agent] of [
      ['/feed/mp3/?redirect=no', 'Pod'],
      ['/feed/mp3/', 'FeedValidator/1.3'],
    ] as const)
      expect((await site.visit(path, { 'user-agent': agent })).status).toBe(200);
    for (const redirectUrl of [`${site.context.publicUrl}/feed/mp3`, 'javascript:alert(1)', '']) {
      await setFeed({ redirectUrl });
      expect((await site.visit('/feed/mp3/')).status).toBe(200);
    }
    await setFeed({ redirectStatus: 0 });
  });

  test('exists for each show, with its own texts, and links the others', async () => {
    const show = { slug: 'murs', title: 'Murs & humidité', language: 'fr', author_name: 'Équipe' };
    await write('POST', 'podcast/v2/shows', show);
    await site.addEpisode('murs-1', { audio: AUDIO, fields: { show: 'murs' } });
    const { channel, items } = await readFeed('/show/murs/feed/mp3/');
    expect(channel).toMatchObject({
      title: show.title,
      language: 'fr',
      'itunes:author': show.author_name,
      'itunes:category': { '@text': 'Arts' },
    });
    expect(items.map(({ title }) => title)).toEqual(['murs-1']);
    const alternates = (await readFeed()).channel['atom:link'].filter((link) => link['@rel'] === 'alternate');
    expect(alternates).toMatchObject([
      {
        '@href': `${site.context.publicUrl}/show/murs/feed/mp3/`,
        '@hreflang': 'fr',
        '@title': 'Murs & humidité (MP3 Audio)',
      },
    ]);
    const bare = await site.visit('/show/murs/feed/mp3');
    expect(bare.headers.get('location')).toBe(`${site.context.publicUrl}/show/murs/feed/mp3/`);
    expect((await site.visit('/show/none/feed/mp3/')).status).toBe(404);
  });

  test('has the guid that directories make of its address, for shows too, unless another was assigned', async () => {
    const { publicUrl } = site.context;
    expect(await guidAt('/feed/mp3/')).toBe(podcastGuid(`${publicUrl}/feed/mp3/`));
    await write('POST', 'podcast/v2/shows', { slug: 'own', title: 'Own', guid: 'urn:own' });
    await write('POST', 'podcast/v2/shows', { slug: 'none', title: 'None' });
    expect(await guidAt('/show/none/feed/mp3/')).toBe(podcastGuid(`${publicUrl}/show/none/feed/mp3/`));
    expect(await guidAt('/show/own/feed/mp3/')).toBe('urn:own');
    const { body } = await site.send('GET', 'podcast/v2/shows', undefined, 'administrator');
    for (const { id, slug } of (body as unknown as { results: { id: number; slug: string }[] }).results)
      if (slug !== 'murs') await write('DELETE', `podcast/v2/shows/${id}`, {});
  });

  test('exists for posts too, with an ETag of its own', async () => {
    await site.send('POST', 'core/v2/posts', { title: 'Roof & wall', content: 'Text', status: 'publish' }, 'editor');
    await site.send('POST', 'core/v2/posts', { title: 'Locked', status: 'publish', password: 'x' }, 'editor');
    const { items, etag } = await readFeed('/feed/');
    expect(items.map(({ title }) => title)).toEqual(['Roof & wall', 'A post']);
    expect(etag).not.toBe((await readFeed()).etag);
    expect((await site.visit('/feed')).status).toBe(301);
  });
});

test('a disabled or protected feed answers 404', async () => {
  for (const closed of [{ enabled: false }, { isProtected: true }]) {
    await setFeed(closed);
    expect((await site.visit('/feed/mp3/')).status).toBe(404);
    await setFeed({ enabled: true, isProtected: false });
  }
});
