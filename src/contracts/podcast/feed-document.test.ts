import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { writeFeed, type FeedChannel, type FeedDocument, type FeedItem } from './feed-document.ts';
import { CHANNEL, HOSTILE, ITEM } from './testing/feed-samples.ts';

/** The text without control characters and unpaired surrogates. */
const KEPT = `<script>alert(1)</script> & "both" 'quotes' ]]> <!-- \uFFFD end`;

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
