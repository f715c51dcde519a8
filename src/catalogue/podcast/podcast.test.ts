import { describe, expect, it } from 'vitest';
import { writeFeed, podcastGuid } from '#contracts/podcast/feed-document.ts';
import type { Cue } from '#contracts/podcast/transcript.ts';
import type { EpisodeEntry } from '../entries/entries.ts';
import { episodeJsonLd, isoDuration, podcastJsonLd } from '../seo/linked-data.ts';
import { createEpisode, createPodcast, createPodcastSite } from '../testing/create-episode.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { episodeMarkdown } from './episode-markdown.ts';
import { podcastFeed, podcastFeedPages, absoluteChapters } from './podcast-feed.ts';
import {
  episodeNeighbours,
  episodeProducts,
  podcastPagePaths,
  podcastPages,
  productEpisodes,
  withProductLinks,
} from './podcast-pages.ts';

const podcast = createPodcast();
const origin = new URL('https://haldenwerk.example');
const COVER = { digest: '0123456789abcdef', width: 3000, height: 3000, mimeType: 'image/jpeg', alt: '', caption: '' };
const tape = createProductEntry({
  name: 'KLEVENTO Uni 60',
  gtin: '9524010000085',
  language: 'en-gb',
  pageLanguage: 'en-gb',
  slug: 'klevento-uni-60-9524010000085',
});
const CUES: Cue[] = [
  { startMs: 0, endMs: 2000, speaker: 'Anna', text: 'Can you tape *today*?' },
  { startMs: 2000, endMs: 4000, speaker: 'Ben', text: 'Yes.' },
];

/** A number of episodes, one a month, the newest first. */
const monthly = (count: number, changes: (i: number) => Partial<EpisodeEntry> = () => ({})): EpisodeEntry[] =>
  Array.from({ length: count }, (_, i) => {
    const published = new Date(Date.UTC(2026, 9 - i, 1, 12));
    return createEpisode({ slug: `episode-${count - i}`, published, modified: published, ...changes(i) });
  });

const products = {
  named: (_: string, names: readonly string[]) => (names.includes(tape.name) ? [tape] : []),
  product: (_: string, gtin: string) => (gtin === tape.gtin ? tape : undefined),
};

const groupsOf = (episodes: readonly EpisodeEntry[]) =>
  podcastPages(createPodcastSite(podcast, episodes), 'en-gb').map(({ groups }) =>
    groups.map(({ season, year, episodes: of }) => [season ?? year, of.length]),
  );

const feedOf = (episodes: readonly EpisodeEntry[], perFeed = 100, show = podcast): string[] =>
  podcastFeedPages(createPodcastSite(show, episodes), 'en-gb', perFeed).map((page) =>
    writeFeed(podcastFeed(show, page, { origin, others: [createPodcast({ language: 'fr-fr', title: 'L’air' })] })),
  );

describe('podcastFeedPages', () => {
  it('ends a document before it has as many episodes as it may have, where their notes are long', () => {
    const html = `<p><a href="/en-gb/products/">${'Tape & wall. '.repeat(1500)}</a></p>`;
    const documents = feedOf(
      monthly(250, () => ({ html })),
      250,
    );
    expect(documents.length).toBeGreaterThan(1);
    expect(documents.filter((xml) => Buffer.byteLength(xml) > 2_000_000)).toEqual([]);
    expect(documents.flatMap((xml) => xml.match(/<item>/g) ?? [])).toHaveLength(250);
    // One that is too large by itself still comes.
    expect(feedOf(monthly(2, () => ({ html: html.repeat(150) })))).toHaveLength(2);
  });
});

describe('podcastPages', () => {
  it('groups episodes by season, a long list without seasons by year, a short one not at all', () => {
    expect(groupsOf(monthly(3))).toEqual([[[undefined, 3]]]);
    expect(groupsOf(monthly(14))).toEqual([
      [
        ['2026', 10],
        ['2025', 4],
      ],
    ]);
    const seasons = monthly(4, (i) => (i < 3 ? { season: i < 2 ? 2 : 1 } : {}));
    expect(groupsOf(seasons)).toEqual([
      [
        [2, 2],
        [1, 1],
        [undefined, 1],
      ],
    ]);
  });

  it('has further pages for a long list, each in the languages whose list is as long', () => {
    const site = createPodcastSite(podcast, monthly(30));
    expect(podcastPages(site, 'en-gb').map(({ items, total }) => [items.length, total])).toEqual([
      [24, 2],
      [6, 2],
    ]);
    expect(podcastPagePaths(site, 2)).toEqual({ 'en-gb': '/en-gb/podcast/page/2/' });
    expect(podcastPagePaths(site, 3)).toEqual({});
  });

  it('has none where there is no podcast', () => {
    expect(podcastPages(createPodcastSite(podcast, monthly(3)), 'fr-fr')).toEqual([]);
  });
});

it('finds the episodes before and after one', () => {
  const [third, second, first] = monthly(3);
  const site = createPodcastSite(
    podcast,
    [third, second, first].flatMap((one) => one ?? []),
  );
  const around = ({ language = '', slug = '' } = {}) => {
    const { previous, next } = episodeNeighbours(site, language, slug);
    return [previous?.path, next?.path];
  };
  expect(around(second)).toEqual([first?.path, third?.path]);
  expect(around(third)).toEqual([second?.path, undefined]);
});

it('finds the products of an episode in its notes and chapters, and the newest episodes of a product', () => {
  const silent = { html: '', chapters: [] };
  const episodes = monthly(9, (i) => (i === 0 ? silent : i === 1 ? { chapters: [] } : { html: '' }));
  const site = { ...products, ...createPodcastSite(podcast, episodes) };
  expect(episodes.slice(0, 3).map((episode) => episodeProducts(site, episode))).toEqual([[], [tape], [tape]]);
  expect(productEpisodes(site, tape.pageLanguage, tape.gtin)?.map((episode) => episode.path)).toEqual(
    episodes.slice(1, 5).map((episode) => episode.path),
  );
});

it('links chapters to the product in the language of the page, and keeps other links', () => {
  const hrefs = ['/01/09524010000085/', '/01/09524010000016/', 'https://elsewhere.example/', undefined];
  const chapters = hrefs.map((href, i) => ({ startMs: i, title: `${i}`, href }));
  const episode = createEpisode({ chapters, html: '' });
  const { chapters: led } = withProductLinks({ ...products, ...createPodcastSite(podcast, [episode]) }, episode);
  expect(led.map(({ href }) => href)).toEqual([`/en-gb/p/${tape.slug}/`, ...hrefs.slice(1)]);
});

const guidIn = (guid: string | undefined) =>
  /<podcast:guid>(.*)<\/podcast:guid>/.exec(feedOf(monthly(1), 1, { ...podcast, guid })[0] ?? '')?.[1];

describe('podcastFeed', () => {
  it('keeps the guid that a podcast has, and gives any other that of its feed', () => {
    expect(guidIn('urn:walls')).toBe('urn:walls');
    expect(guidIn(undefined)).toBe(podcastGuid(`${origin.origin}/en-gb/podcast/feed.xml`));
  });

  it('names the file that apps play, with its length and type, and what is beside it', () => {
    const [feed = ''] = feedOf([
      createEpisode({ soundbite: { startMs: 500, durationMs: 1000, title: 'Hand' }, season: 2 }),
    ]);
    const base = 'https://haldenwerk.example/en-gb/podcast/minus-five/';
    for (const part of [
      '<enclosure url="https://haldenwerk.example/audio/b/minus-five.mp3" length="702754" type="audio/mpeg"/>',
      '<guid isPermaLink="false">guid-of-minus-five</guid>',
      '<itunes:season>2</itunes:season>',
      `<podcast:chapters url="${base}chapters.json" type="application/json+chapters"/>`,
      `<podcast:transcript url="${base}transcript.vtt" type="text/vtt" language="en-GB"/>`,
      `<podcast:transcript url="${base}transcript.srt" type="application/x-subrip" language="en-GB"/>`,
      `<podcast:transcript url="${base}transcript.json" type="application/json" language="en-GB"/>`,
      '<podcast:soundbite startTime="0.500" duration="1.000">Hand</podcast:soundbite>',
      'hreflang="fr-FR" title="L’air" href="https://haldenwerk.example/fr-fr/podcast/feed.xml"',
      'href="https://haldenwerk.example/en-gb/p/klevento-uni-60-9524010000085/"',
    ])
      expect(feed).toContain(part);
  });

  it('gives notes and covers absolute addresses, and the cover the size that directories ask for', () => {
    const html =
      '<p><a href="/en-gb/norms/?a=1&amp;b=2">N</a> <a href="#x">x</a><img data-asset="fedcba9876543210" width="900" height="600" alt="A &quot;B&quot;"></p>';
    const [feed = ''] = feedOf([createEpisode({ html, cover: COVER })]);
    expect(feed).toContain('<a href="https://haldenwerk.example/en-gb/norms/?a=1&amp;b=2">N</a> <a href="#x">x</a>');
    expect(feed).toContain(
      '<img width="900" height="600" alt="A &quot;B&quot;" src="https://haldenwerk.example/_images/fedcba9876543210-900.jpg">',
    );
    expect(feed).toContain('<itunes:image href="https://haldenwerk.example/_images/0123456789abcdef-1600.jpg"/>');
  });

  it('writes the same bytes each time, and leaves out episodes without audio', () => {
    const episodes = [createEpisode(), createEpisode({ slug: 'soon', audio: [] })];
    expect(feedOf(episodes)).toEqual(feedOf(episodes));
    expect(feedOf(episodes)[0]?.match(/<item>/g)).toHaveLength(1);
    expect(feedOf([])).toHaveLength(1);
  });

  it('stays small with a thousand episodes, and links to the older ones', () => {
    const notes = `<p>${'A word or two on what was said. '.repeat(60)}</p>`;
    const feeds = feedOf(
      monthly(1000, () => ({ html: notes })),
      250,
    );
    expect(feeds.map((feed) => feed.match(/<item>/g)?.length)).toEqual([250, 250, 250, 250]);
    expect(Math.max(...feeds.map((feed) => Buffer.byteLength(feed)))).toBeLessThan(2_000_000);
    expect(feeds[0]).toContain('<atom:link rel="next" href="https://haldenwerk.example/en-gb/podcast/feed-2.xml"/>');
    expect(feeds[3]).not.toContain('rel="next"');
  });
});

it('writes chapters for podcast apps with absolute addresses', () => {
  const chapters = absoluteChapters(createEpisode().chapters, origin);
  expect(chapters[1]?.href).toBe('https://haldenwerk.example/en-gb/p/klevento-uni-60-9524010000085/');
  expect(chapters[1]).toMatchObject({ startMs: 83_500, title: 'Tapes <60' });
});

describe('linked data', () => {
  const given = { site: origin, maker: 'Haldenwerk GmbH' };

  it('describes the show and links its feed', () => {
    expect(
      podcastJsonLd(createPodcast({ listen: [{ client: 'spotify', url: 'https://a.example/' }] }), given),
    ).toMatchObject({
      '@type': 'PodcastSeries',
      '@id': 'https://haldenwerk.example/en-gb/podcast/#podcast',
      webFeed: 'https://haldenwerk.example/en-gb/podcast/feed.xml',
      sameAs: ['https://a.example/'],
    });
  });

  it('describes an episode with its audio file, chapters and products', () => {
    const episode = createEpisode({ season: 1, number: 4 });
    expect(episodeJsonLd(episode, { podcast, products: [tape], cues: CUES, ...given })).toMatchObject({
      '@type': 'PodcastEpisode',
      episodeNumber: 4,
      partOfSeason: { '@type': 'PodcastSeason', seasonNumber: 1 },
      partOfSeries: { '@id': 'https://haldenwerk.example/en-gb/podcast/#podcast' },
      duration: 'PT2M55S',
      associatedMedia: [
        { encodingFormat: 'audio/opus' },
        { contentSize: '702754', transcript: 'Can you tape *today*? Yes.' },
      ],
      hasPart: [
        { startOffset: 0, endOffset: 83.5 },
        { startOffset: 83.5, endOffset: 175.409, url: 'https://haldenwerk.example/en-gb/podcast/minus-five/#t=1:23' },
      ],
      mentions: [{ gtin13: '9524010000085' }],
    });
  });

  it('writes durations as ISO 8601 does', () => {
    expect([0, 400, 59_600, 60_000, 3_723_000].map(isoDuration)).toEqual(['PT0S', 'PT0S', 'PT1M', 'PT1M', 'PT1H2M3S']);
  });
});

it('writes an episode as Markdown, with its chapters and transcript', () => {
  const text = episodeMarkdown(
    createEpisode(),
    { t: (key) => key, facts: ['27 October 2026'] },
    { podcast, products: [tape], cues: CUES, origin },
  );
  for (const part of [
    '# About minus-five',
    '- [1:23](https://haldenwerk.example/en-gb/podcast/minus-five/#t=1:23) [Tapes \\<60](https://haldenwerk.example/en-gb/p/klevento-uni-60-9524010000085/)',
    'KLEVENTO Uni 60 holds.',
    '(GTIN 9524010000085)',
    String.raw`**Anna:** Can you tape \*today\*?`,
    '**Ben:** Yes.',
  ])
    expect(text).toContain(part);
});
