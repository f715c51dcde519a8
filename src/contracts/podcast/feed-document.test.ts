import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { writeFeed, writePostFeed, type FeedChannel, type FeedDocument, type FeedItem } from './feed-document.ts';
import { validateFeed } from './testing/validate-feed.ts';

const HOSTILE = `<script>alert(1)</script> & "both" 'quotes' ]]> <!-- \u0000\u0008\uD800 end`;
/** The text without control characters and unpaired surrogates. */
const KEPT = `<script>alert(1)</script> & "both" 'quotes' ]]> <!-- \uFFFD end`;

const CHANNEL: FeedChannel = {
  title: 'Wall Notes',
  link: 'https://walls.example',
  tagline: 'About walls',
  updated: new Date('2026-03-01T07:00:00Z'),
  address: { self: 'https://walls.example/feed/mp3/' },
};
const ITEM: FeedItem = {
  title: 'First words',
  link: 'https://walls.example/first-words/',
  guid: '0f0e0d0c-0b0a-4908-8706-050403020100',
  published: new Date('2026-02-01T07:00:00Z'),
  file: { href: 'https://walls.example/files/wn001.mp3', bytes: 16_638, mimeType: 'audio/mpeg' },
  durationMs: 0,
  type: 'full',
};

interface Parsed {
  [name: string]: string | Parsed | Parsed[];
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false });

function read(channel: Partial<FeedChannel> = {}, ...items: Partial<FeedItem>[]): Parsed {
  const document: FeedDocument = {
    channel: { ...CHANNEL, ...channel },
    items: items.map((item) => ({ ...ITEM, ...item })),
  };
  const xml = writeFeed(document);
  expect(XMLValidator.validate(xml)).toBe(true);
  expect(writeFeed(document)).toBe(xml);
  return (parser.parse(xml) as { rss: { channel: Parsed } }).rss.channel;
}

const readItem = (item: Partial<FeedItem>): Parsed => read({}, item)['item'] as Parsed;

describe('a feed', () => {
  test('without any settings has what every directory asks for', () => {
    expect(read({}, {})).toEqual({
      title: 'Wall Notes',
      link: 'https://walls.example',
      description: 'About walls',
      lastBuildDate: 'Sun, 01 Mar 2026 07:00:00 +0000',
      'atom:link': {
        '@rel': 'self',
        '@type': 'application/rss+xml',
        '@title': 'Wall Notes',
        '@href': 'https://walls.example/feed/mp3/',
      },
      'podcast:medium': 'podcast',
      'itunes:type': 'episodic',
      'itunes:owner': { 'itunes:name': 'Wall Notes', 'itunes:email': '' },
      'itunes:block': 'no',
      'itunes:explicit': 'false',
      item: {
        title: 'First words',
        link: 'https://walls.example/first-words/',
        pubDate: 'Sun, 01 Feb 2026 07:00:00 +0000',
        guid: { '#text': ITEM.guid, '@isPermaLink': 'false' },
        description: 'First words',
        'atom:link': { '@rel': 'http://podlove.org/deep-link', '@href': 'https://walls.example/first-words/#' },
        enclosure: { '@url': ITEM.file.href, '@length': '16638', '@type': 'audio/mpeg' },
        'itunes:duration': '00:00:00',
        'itunes:title': 'First words',
        'itunes:episodeType': 'full',
      },
    });
  });

  test('names owner, license, support and people', () => {
    const channel = read({
      author: 'Acme Crew',
      email: 'crew@example.test',
      isLocked: true,
      funding: { name: 'Give <us>', href: 'https://example.org/give?a=1&b=2' },
      license: { name: 'CC BY 4.0', href: 'https://creativecommons.org/licenses/by/4.0/' },
      persons: [{ name: 'Anna & Co', role: 'host', href: 'https://example.org/anna' }],
      category: { top: 'Arts', leaf: 'Fashion & Beauty' },
    });
    expect(channel).toMatchObject({
      'itunes:owner': { 'itunes:name': 'Acme Crew', 'itunes:email': 'crew@example.test' },
      'podcast:locked': { '#text': 'yes', '@owner': 'crew@example.test' },
      'podcast:funding': { '#text': 'Give <us>', '@url': 'https://example.org/give?a=1&b=2' },
      'podcast:license': { '#text': 'CC BY 4.0', '@url': 'https://creativecommons.org/licenses/by/4.0/' },
      'podcast:person': { '#text': 'Anna & Co', '@role': 'host', '@href': 'https://example.org/anna' },
      'itunes:category': { '@text': 'Arts', 'itunes:category': { '@text': 'Fashion & Beauty' } },
    });
  });

  test('links to its other pages, languages and its new address', () => {
    const self = 'https://walls.example/feed/mp3/?paged=2';
    const other = { title: 'Wandnotizen', href: 'https://walls.example/de/feed/', language: 'de-DE' };
    const channel = read({
      address: {
        self,
        name: 'MP3',
        first: 'https://walls.example/1',
        previous: 'https://walls.example/1',
        next: 'https://walls.example/3',
        last: 'https://walls.example/9',
        alternates: [other],
        movedTo: 'https://new.example/feed',
      },
    });
    expect(channel['atom:link']).toEqual([
      { '@rel': 'self', '@type': 'application/rss+xml', '@title': 'Wall Notes (MP3)', '@href': self },
      { '@rel': 'first', '@href': 'https://walls.example/1' },
      { '@rel': 'prev', '@href': 'https://walls.example/1' },
      { '@rel': 'next', '@href': 'https://walls.example/3' },
      { '@rel': 'last', '@href': 'https://walls.example/9' },
      {
        '@rel': 'alternate',
        '@type': 'application/rss+xml',
        '@hreflang': 'de-DE',
        '@title': other.title,
        '@href': other.href,
      },
    ]);
    expect(channel['itunes:new-feed-url']).toBe('https://new.example/feed');
  });
});

describe('an episode in a feed', () => {
  test('is described by its summary, else its subtitle, else its title', () => {
    expect(readItem({ summary: 'All of it', subtitle: 'A line' })['description']).toBe('All of it');
    expect(readItem({ subtitle: 'A line' })['description']).toBe('A line');
    expect(readItem({})['description']).toBe('First words');
  });

  test('has its chapters in order, its transcripts and its soundbite', () => {
    const item = readItem({
      durationMs: 3_723_456,
      number: 7,
      season: 2,
      chapters: [
        { startMs: 60_500, title: 'More & <more>', href: 'https://example.org/?a=1&b=2' },
        { startMs: 0, title: 'Intro' },
      ],
      chaptersHref: 'https://walls.example/chapters.json',
      transcripts: [
        { href: 'https://walls.example/t.vtt', mimeType: 'text/vtt', language: 'de' },
        { href: 'https://walls.example/t.json', mimeType: 'application/json' },
      ],
      soundbite: { startMs: 60_000, durationMs: 30_500, title: 'Best part' },
    });
    expect(item).toMatchObject({
      'itunes:duration': '01:02:03',
      'itunes:season': '2',
      'itunes:episode': '7',
      'psc:chapters': {
        'psc:chapter': [
          { '@start': '00:00:00.000', '@title': 'Intro' },
          { '@start': '00:01:00.500', '@title': 'More & <more>', '@href': 'https://example.org/?a=1&b=2' },
        ],
      },
      'podcast:chapters': { '@url': 'https://walls.example/chapters.json', '@type': 'application/json+chapters' },
      'podcast:transcript': [
        { '@url': 'https://walls.example/t.vtt', '@type': 'text/vtt', '@language': 'de' },
        { '@url': 'https://walls.example/t.json', '@type': 'application/json' },
      ],
      'podcast:soundbite': { '#text': 'Best part', '@startTime': '60.000', '@duration': '30.500' },
    });
  });

  test('without chapters links to no chapters document', () => {
    expect(readItem({ chaptersHref: 'https://walls.example/chapters.json' })).not.toHaveProperty('podcast:chapters');
  });

  test('keeps every text a text, whatever it looks like', () => {
    const item = readItem({
      title: HOSTILE,
      guid: HOSTILE,
      subtitle: HOSTILE,
      summary: HOSTILE,
      notes: HOSTILE,
      author: HOSTILE,
      chapters: [{ startMs: 0, title: HOSTILE, href: `https://example.org/?${HOSTILE}` }],
      soundbite: { startMs: 0, durationMs: 1000, title: HOSTILE },
      license: { name: HOSTILE, href: 'https://example.org/"><script>' },
      persons: [{ name: HOSTILE, role: HOSTILE }],
    });
    const texts = ['title', 'description', 'itunes:summary', 'itunes:subtitle', 'content:encoded', 'itunes:author'];
    expect(texts.map((name) => item[name])).toEqual(texts.map(() => KEPT));
    expect(item).toMatchObject({
      guid: { '#text': KEPT },
      'psc:chapters': { 'psc:chapter': { '@title': KEPT } },
      'podcast:soundbite': { '#text': KEPT },
      'podcast:license': { '#text': KEPT, '@url': 'https://example.org/"><script>' },
      'podcast:person': { '#text': KEPT, '@role': KEPT },
    });
    expect(item).not.toHaveProperty('script');
  });

  test('cuts names and titles to the lengths that apps take', () => {
    const item = readItem({
      soundbite: { startMs: 0, durationMs: 1000, title: 'ü'.repeat(500) },
      persons: [{ name: '👩'.repeat(500) }],
    });
    expect(item).toMatchObject({
      'podcast:soundbite': { '#text': 'ü'.repeat(128) },
      'podcast:person': '👩'.repeat(128),
    });
  });

  test('keeps the lines of its summary, and has its title on one', () => {
    const item = readItem({ title: 'First\n  words', summary: 'One\n\nTwo' });
    expect(item).toMatchObject({ title: 'First words', 'itunes:summary': 'One\n\nTwo' });
  });
});

describe("Ruby's RSS library", () => {
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
    [
      'a time of ISO 8601',
      'of tag <lastBuildDate> is not available',
      /(<lastBuildDate>).*</,
      '$12026-03-01T07:00:00Z<',
    ],
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
});
