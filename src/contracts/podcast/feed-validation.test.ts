import { expect, test } from 'vitest';
import { writeFeed, writePostFeed, type FeedChannel, type FeedItem } from './feed-document.ts';
import { CHANNEL, HOSTILE, ITEM } from './testing/feed-samples.ts';
import { validateFeed } from './testing/validate-feed.ts';

const CHANNEL_OF_ALL: FeedChannel = {
  ...CHANNEL,
  title: HOSTILE,
  subtitle: 'Notes on walls',
  summary: HOSTILE,
  address: {
    self: 'https://walls.example/feed/mp3/?paged=2',
    next: 'https://walls.example/feed/mp3/?paged=3',
    alternates: [{ title: 'Wandnotizen', href: 'https://walls.example/de/feed/', language: 'de-DE' }],
    movedTo: 'https://new.example/feed',
  },
  language: 'de-CH',
  generator: 'Sortiment',
  guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
  copyright: '2026 Acme',
  author: 'Acme Crew',
  email: 'crew@example.test',
  category: { top: 'Arts', leaf: 'Fashion & Beauty' },
  image: 'https://walls.example/cover.jpg',
  funding: { name: HOSTILE, href: 'https://example.org/give?a=1&b=2' },
  license: { name: 'CC BY 4.0', href: 'https://creativecommons.org/licenses/by/4.0/' },
  persons: [{ name: HOSTILE, role: 'host', href: 'https://example.org/anna' }],
  isLocked: true,
};
const ITEM_OF_ALL: FeedItem = {
  ...ITEM,
  title: HOSTILE,
  subtitle: HOSTILE,
  summary: HOSTILE,
  notes: `<p>Notes</p>${HOSTILE}`,
  durationMs: 3_723_456,
  number: 7,
  season: 2,
  type: 'bonus',
  isExplicit: true,
  image: 'https://walls.example/first.jpg',
  chapters: [{ startMs: 0, title: HOSTILE, href: 'https://example.org/?a=1&b=2' }],
  chaptersHref: 'https://walls.example/chapters.json',
  transcripts: [{ href: 'https://walls.example/t.vtt', mimeType: 'text/vtt', language: 'de' }],
  soundbite: { startMs: 60_000, durationMs: 30_500 },
  license: { name: HOSTILE, href: 'https://example.org/license' },
  persons: [{ name: 'Anna & Co' }],
};
const full = writeFeed({ channel: CHANNEL_OF_ALL, items: [ITEM_OF_ALL, ITEM] });

test('finds feeds valid with every field, with none, without episodes and of posts', () => {
  const about = { title: HOSTILE, link: 'https://walls.example', description: '', updated: CHANNEL.updated };
  const posts = writePostFeed({ ...about, self: 'https://walls.example/feed/' }, [
    { ...ITEM, title: HOSTILE, summary: '', notes: `<p>${HOSTILE}</p>` },
  ]);
  const bare = writeFeed({ channel: CHANNEL, items: [ITEM] });
  for (const xml of [full, bare, writeFeed({ channel: CHANNEL, items: [] }), posts])
    expect([validateFeed(xml), xml]).toEqual(['', xml]);
});

// A validator that finds no fault in broken feeds proves nothing of the others.
test.each<[fault: string, found: RegExp | string, from: RegExp | string, to: string]>([
  ['no channel', '<channel> is missing in tag <rss>', /<channel>[^]*<\/channel>/, ''],
  ['two channels', '{}channel> is not expected in tag <rss>', /<channel>[^]*<\/channel>/, '$&$&'],
  ['another version', 'not RSS 2.0', 'version="2.0"', 'version="3.0"'],
  ['no version', '<version> is missing in tag <rss>', ' version="2.0"', ''],
  ['an element left open', 'not well formed', '</item>', ''],
  ['an ampersand as it is', 'Illegal character "&"', '&amp;', '&'],
  ['a channel without title', '<title> is missing in tag <channel>', /<title>.*<\/title>/, ''],
  ['a channel without link', '<link> is missing in tag <channel>', /<link>.*<\/link>/, ''],
  ['a channel without description', '<description> is missing', /<description>[^]*?<\/description>/, ''],
  ['a channel with two titles', '<title> is too much in tag <channel>', /<title>.*<\/title>/, '$&$&'],
  ['a cover without address', '<url> is missing in tag <image>', /<url>.*<\/url>/, ''],
  ['a time of ISO 8601', 'of tag <lastBuildDate> is not available', /(<lastBuildDate>).*</, '$12026-03-01T07:00:00Z<'],
  ['a day in words', '<yesterday> of tag <pubDate>', /(<pubDate>).*</, '$1yesterday<'],
  ['a date by another name', '{}pubdate> is not expected', /<pubDate>(.*)<\/pubDate>/, '<pubdate>$1</pubdate>'],
  ['a file without length', '<length> is missing in tag <enclosure>', / length="\d+"/, ''],
  ['a file with a length in words', '<long> of tag <length>', / length="\d+"/, ' length="long"'],
  ['a file without type', '<type> is missing in tag <enclosure>', ' type="audio/mpeg"', ''],
  ['a file without address', '<url> is missing in tag <enclosure>', /enclosure url="[^"]*"/, 'enclosure'],
  ['two files', '<enclosure> is too much in tag <item>', /<enclosure .*\/>/, '$&$&'],
  ['a file outside an episode', '{}enclosure> is not expected', /(<item>[^]*?)(<enclosure .*\/>)/, '$2$1'],
  ['two GUIDs', '<guid> is too much in tag <item>', /<guid.*<\/guid>/, '$&$&'],
  ['a GUID that may be an address', '<maybe> of tag <isPermaLink>', '"false">', '"maybe">'],
  ['an episode outside the channel', '{}item> is not expected in tag <rss>', '</channel>', '</channel><item/>'],
  ['a duration in words', '<an hour> of tag <duration>', /(<itunes:duration>).*?</, '$1an hour<'],
  ['a season zero', '<0> of tag <season>', '<itunes:season>2', '<itunes:season>0'],
  ['an unknown kind of episode', '<half> of tag <episodeType>', '>bonus<', '>half<'],
  ['an unknown kind of podcast', '<daily> of tag <type>', '>episodic<', '>daily<'],
  ['a category without name', '<text> is missing in tag <category>', 'itunes:category text=', 'itunes:category id='],
  ['a cover for iTunes without address', '<href> is missing in tag <image>', /(itunes:image) href="[^"]*"/, '$1'],
  ['an owner without address', '<email> is missing in tag <owner>', /<itunes:email>.*<\/itunes:email>/, ''],
  ['two owners', '<owner> is too much in tag <channel>', /<itunes:owner>[^]*<\/itunes:owner>/, '$&$&'],
  ['an author by another name', /\}autor> is not expected/, /itunes:author/g, 'itunes:autor'],
  ['another format', 'not RSS 2.0', /^[^]*$/, '<opml version="2.0"/>'],
])('refuses %s', (_fault, found, from, to) => {
  const broken = full.replace(from, to);
  expect(broken).not.toBe(full);
  expect(validateFeed(broken)).toMatch(found);
});
