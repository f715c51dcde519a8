import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { composeChangeFeed, composeChangeRss, type ChangeRun } from './change-feed.ts';

const SITE = {
  words: {
    lang: 'de-DE',
    title: 'Halden & Werk: Änderungen',
    description: 'Was sich geändert hat.',
    run: (changes: number, isComplete: boolean) => `${changes}${isComplete ? '' : ' und weitere'}`,
    change: ({ title }: { title: string }) => `Geändert: ${title}`,
  },
  origin: new URL('https://catalogue.example'),
};

const createRun = (changes: Partial<ChangeRun> = {}): ChangeRun => ({
  id: 'run_1',
  at: new Date('2026-11-21T10:00:00Z'),
  digest: 'bb',
  previousDigest: 'aa',
  complete: true,
  changes: [
    {
      kind: 'product',
      change: 'changed',
      gtin: '9524010000016',
      language: 'de-de',
      title: 'DIFFRANA Vario 75',
      path: '/de-de/p/diffrana-vario-75-9524010000016/',
      fields: ['availability', 'price', 'intro'],
      availability: { before: 'limited', after: 'available' },
      price: { before: null, after: '149.90', tax: 'net', currency: 'EUR' },
    },
    { kind: 'page', change: 'removed', title: 'Alt', fields: [] },
  ],
  ...changes,
});

interface Rss {
  rss: {
    channel: {
      title: string;
      language: string;
      item: { title: string; link?: string; guid: string; pubDate: string }[];
    };
  };
}
const parse = (xml: string): Rss => new XMLParser().parse(xml) as Rss;

describe('the feed of changes', () => {
  it('as JSON has an item for each run, for people and for machines', () => {
    expect(
      composeChangeFeed([createRun(), createRun({ id: 'run_0', previousDigest: undefined, complete: false })], SITE),
    ).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Halden & Werk: Änderungen',
      language: 'de-DE',
      feed_url: 'https://catalogue.example/changes.json',
      items: [
        {
          id: 'run_1',
          date_published: '2026-11-21T10:00:00.000Z',
          title: '2',
          content_text: 'Geändert: DIFFRANA Vario 75\nGeändert: Alt',
          _sortiment: {
            digest: 'bb',
            previousDigest: 'aa',
            changes: [
              { gtin: '9524010000016', url: 'https://catalogue.example/de-de/p/diffrana-vario-75-9524010000016/' },
              { kind: 'page', change: 'removed', title: 'Alt' },
            ],
          },
        },
        { title: '2 und weitere', _sortiment: { previousDigest: null, complete: false } },
      ],
    });
  });

  it('as RSS has an item for each change, each with a name of its own', () => {
    const xml = composeChangeRss([createRun(), createRun({ id: 'run_0' })], SITE);
    expect(XMLValidator.validate(xml)).toBe(true);
    const { item, title, language } = parse(xml).rss.channel;
    expect([title, language]).toEqual(['Halden & Werk: Änderungen', 'de-DE']);
    expect(item).toHaveLength(4);
    expect(new Set(item.map(({ guid }) => guid)).size).toBe(4);
    expect(item[0]).toMatchObject({
      link: 'https://catalogue.example/de-de/p/diffrana-vario-75-9524010000016/',
      pubDate: 'Sat, 21 Nov 2026 10:00:00 GMT',
    });
  });

  it('is whole XML whatever a title holds, and without a single change', () => {
    const title = `</title><x a="1">&amp; ]]> \u0000\u000B\uD800\uFFFE 😀`;
    const xml = composeChangeRss(
      [createRun({ changes: [{ kind: 'post', change: 'added', title, fields: [] }] })],
      SITE,
    );
    expect(XMLValidator.validate(xml)).toBe(true);
    for (const character of ['\u0000', '\u000B', '\uFFFE']) expect(xml).not.toContain(character);
    expect(xml).toContain('&lt;/title&gt;&lt;x a=&quot;1&quot;&gt;&amp;amp; ]]&gt; ');
    expect(XMLValidator.validate(composeChangeRss([], SITE))).toBe(true);
  });

  it('as RSS keeps to the newest', () => {
    const changes = Array.from({ length: 300 }, () => ({
      kind: 'post' as const,
      change: 'added' as const,
      title: 'x',
      fields: [],
    }));
    expect(parse(composeChangeRss([createRun({ changes })], SITE)).rss.channel.item).toHaveLength(200);
  });
});
