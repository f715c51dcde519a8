import type * as Partytime from 'podcast-partytime';
import type { default as getPodcastFromFeed } from 'podparse';
import type { default as RssParser } from 'rss-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validateFeed } from '#contracts/podcast/testing/validate-feed.ts';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { OPEN_TIMEOUT_MS } from '../testing/podcast-site.ts';
import { AUDIO, HOSTILE, openFeedSite, type FeedSite, type Parsed } from './testing/feed-site.ts';

// Parsers of podcast apps, each with a different XML parser.
const rssParser = loadAuditTool<typeof RssParser>('rss-parser');
const podparse = loadAuditTool<typeof getPodcastFromFeed>('podparse');
const partytime = loadAuditTool<typeof Partytime>('podcast-partytime');

let site: FeedSite;
beforeAll(async () => {
  site = await openFeedSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

/** Fields of an episode that all parsers read. */
const common = ({ title, guid, enclosure }: Pick<Partytime.Item, 'title' | 'guid' | 'enclosure'>) => {
  const { url, type, length } = enclosure;
  return { title, guid, url, type, length: Number(length) };
};

test('the feed is read alike by rss-parser, podparse and podcast-partytime', async () => {
  const { xml, items: own } = await site.readFeed();
  const customFields = {
    item: [
      ['podcast:transcript', 'transcripts', { keepArray: true }],
      ['psc:chapters', 'chapters'],
    ],
  };
  const rss = await new rssParser({ customFields }).parseString(xml);
  const pod = podparse(xml);
  const party = partytime.parseFeed(xml);
  const expected = own.map((item) => {
    const enclosure = item['enclosure'] as Record<string, string>;
    const { '@url': url, '@type': type, '@length': length } = enclosure;
    return { title: item['title'], guid: (item['guid'] as Parsed)['#text'], url, type, length: Number(length) };
  });
  expect(expected).toHaveLength(3);
  expect(rss.items.map(common)).toEqual(expected);
  expect(pod.episodes.map(common)).toEqual(expected);
  expect(party?.items.map(common)).toEqual(expected);
  expect([rss.title, pod.meta.title, party?.title]).toEqual([HOSTILE, HOSTILE, HOSTILE]);

  const chapters = [
    { start: '00:00:00.000', title: 'Intro' },
    { start: '00:01:00.500', title: HOSTILE, href: 'https://example.org/?a=1&b=2' },
  ];
  expect(pod.episodes[1]?.chapters).toEqual(chapters);
  expect(rss.items[1]?.chapters?.['psc:chapter'].map(({ $ }) => $)).toEqual(chapters);
  const transcript = { url: `${site.context.publicUrl}/uploads/podcast/full.vtt`, type: 'text/vtt' };
  expect(rss.items[1]?.transcripts?.map(({ $ }) => $)).toMatchObject([transcript]);
  expect(party?.items[1]).toMatchObject({
    podcastTranscripts: [transcript],
    podcastChapters: { url: `${site.context.publicUrl}/full/?chapters_format=pijson` },
    podcastSoundbites: [{ startTime: 60, duration: 30.5, title: HOSTILE }],
  });
  // Tags of the podcast namespace that the parser accepts.
  const valid = Object.values(party?.pc20support ?? {}).flat();
  expect(valid).toEqual(
    expect.arrayContaining(['locked', 'funding', 'transcript', 'chapters', 'soundbite', 'license', 'medium', 'guid']),
  );
});

test("feeds of the podcast, of a show and of posts are valid RSS 2.0 by Ruby's RSS library", async () => {
  await site.write('POST', 'podcast/v2/shows', { slug: 'murs', title: 'Murs & humidité', language: 'fr' });
  await site.addEpisode('murs-1', { audio: AUDIO, fields: { show: 'murs' } });
  await site.send('POST', 'core/v2/posts', { title: 'Roof & wall', content: 'Text', status: 'publish' }, 'editor');
  for (const path of ['/feed/mp3/', '/show/murs/feed/mp3/', '/feed/']) {
    const { xml, items } = await site.readFeed(path);
    expect(items).not.toEqual([]);
    expect([path, validateFeed(xml)]).toEqual([path, '']);
  }
});
