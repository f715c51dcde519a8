import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { parseDisplayCategory } from '#contracts/podcast/record.ts';
import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { validateFeed } from '#contracts/podcast/testing/validate-feed.ts';
import { parsePage } from './parse-page.ts';

/** Finds the demo's podcast like visitors, podcast apps and search engines. */
const siteUrl = inject('siteUrl');
const dist = path.join(inject('projectFolder'), 'dist');
const text = (place: string) => readFileSync(path.join(dist, place), 'utf8');
const pageAt = (place: string) => parsePage(place, text(`${place}index.html`));
/** Returns the file of a URL of the site. */
const fileOf = (address: string) => path.join(dist, decodeURIComponent(address.slice(siteUrl.length)));

interface FeedEpisode {
  link: string;
  guid: string;
  enclosure: Record<string, string>;
  transcripts: string[];
  chapters: string | undefined;
}

function readFeed(place: string): { guid: string; image: string; episodes: FeedEpisode[] } {
  const document = parseDocument(text(place), { xmlMode: true });
  const all = (name: string, from: Parameters<typeof DomUtils.getElementsByTagName>[1] = document) =>
    DomUtils.getElementsByTagName(name, from);
  const first = (name: string, from?: Parameters<typeof DomUtils.getElementsByTagName>[1]) =>
    DomUtils.textContent(all(name, from).slice(0, 1));
  return {
    guid: first('podcast:guid'),
    image: all('itunes:image')[0]?.attribs['href'] ?? '',
    episodes: all('item').map((item) => ({
      link: first('link', item.children),
      guid: first('guid', item.children),
      enclosure: all('enclosure', item.children)[0]?.attribs ?? {},
      transcripts: all('podcast:transcript', item.children).map(({ attribs }) => attribs['url'] ?? ''),
      chapters: all('podcast:chapters', item.children)[0]?.attribs['url'],
    })),
  };
}

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];

describe.each(LANGUAGES)('the podcast in %s', (language) => {
  const feed = readFeed(`${language}/podcast/feed.xml`);
  const [newest] = feed.episodes;
  const place = (newest?.link ?? '').slice(siteUrl.length);

  it('has a feed whose files are there, as long as it says', () => {
    expect(feed.episodes.length).toBeGreaterThan(3);
    expect(existsSync(fileOf(feed.image))).toBe(true);
    for (const { enclosure, transcripts, chapters = '' } of feed.episodes) {
      const { url = '', length, type } = enclosure;
      expect([type, Number(length)]).toEqual(['audio/mpeg', statSync(fileOf(url)).size]);
      expect(JSON.parse(readFileSync(fileOf(chapters), 'utf8'))).toMatchObject({ version: '1.2.0' });
      const formats = ['webvtt', 'srt', 'json_podcastindex'] as const;
      const read = formats.map((format, i) =>
        parseTranscript(format, readFileSync(fileOf(transcripts[i] ?? ''), 'utf8')),
      );
      expect(read.map((one) => one.ok && one.value.length > 10)).toEqual([true, true, true]);
    }
  });

  it("has a feed that is valid RSS 2.0 by Ruby's RSS library, and not with two copies of an episode's file", () => {
    const xml = text(`${language}/podcast/feed.xml`);
    expect(validateFeed(xml)).toBe('');
    expect(validateFeed(xml.replace(/<enclosure .*\/>/, '$&$&'))).toContain('<enclosure> is too much in tag <item>');
  });

  it('keeps the rules of Apple Podcasts for a show and its episodes', async () => {
    const xml = text(`${language}/podcast/feed.xml`);
    const document = parseDocument(xml, { xmlMode: true });
    const named = (name: string) => DomUtils.getElementsByTagName(name, document);
    const categories = named('itunes:category').map(({ attribs }) => attribs['text'] ?? '');
    expect(parseDisplayCategory(categories.join(' > '))).toBeDefined();
    expect(DomUtils.textContent(named('language'))).toMatch(/^[a-z]{2}-[A-Z]{2}$/);
    const explicit = named('itunes:explicit').map((element) => DomUtils.textContent(element));
    expect(explicit.length).toBeGreaterThan(0);
    expect(explicit.filter((value) => value !== 'true' && value !== 'false')).toEqual([]);
    const { width, height, format } = await sharp(fileOf(feed.image)).metadata();
    expect(['jpeg', 'png']).toContain(format);
    expect([width, width >= 1400 && width <= 3000]).toEqual([height, true]);
    for (const { enclosure, guid } of feed.episodes) {
      expect(guid).not.toBe('');
      expect(new URL(enclosure['url'] ?? '').pathname).toMatch(/\.(?:mp3|m4a)$/);
    }
  });

  it('has a page for the show and for each episode, which name each other, the feed and the file', () => {
    const show = text(`${language}/podcast/index.html`);
    for (const { link } of feed.episodes) expect(show).toContain(`href="${link.slice(siteUrl.length)}"`);
    expect(show).toContain(`type="application/rss+xml" title=`);
    expect(pageAt(`${language}/podcast/`).nodes).toContainEqual(expect.objectContaining({ '@type': 'PodcastSeries' }));
    const { nodes, metas } = pageAt(place);
    expect(metas.get('og:audio')).toEqual([newest?.enclosure['url']]);
    expect(metas.get('og:audio:type')).toEqual(['audio/mpeg']);
    expect(nodes).toContainEqual(
      expect.objectContaining({
        '@type': 'PodcastEpisode',
        identifier: newest?.guid,
        partOfSeries: expect.objectContaining({ '@id': `${siteUrl}/${language}/podcast/#podcast` }),
        associatedMedia: expect.arrayContaining([
          expect.objectContaining({ '@type': 'AudioObject', contentUrl: newest?.enclosure['url'] }),
        ]),
      }),
    );
  });

  it('is found from the home page, the navigation, the sitemap, the overview for programs and the products it is about', () => {
    const home = text(`${language}/index.html`);
    expect(home).toContain(`<a href="/${language}/podcast/"`);
    expect(home).toContain(`<a href="${place}"`);
    expect(text('sitemap-0.xml')).toContain(`<loc>${siteUrl}${place}</loc>`);
    expect(text('llms.txt')).toContain(`(${siteUrl}${place})`);
    const products = [...text(`${place}index.html`).matchAll(new RegExp(`href="(/${language}/p/[^"]+/)"`, 'g'))];
    expect(products.length).toBeGreaterThan(0);
    for (const [, product = ''] of products) expect(text(`${product}index.html`)).toContain(`<a href="${place}"`);
  });

  it('is there as Markdown, with chapters that lead into it and all that is said', () => {
    const markdown = text(`${place}index.html.md`);
    expect(markdown).toContain(`](${siteUrl}${place}#t=0:00)`);
    const vtt = parseTranscript('webvtt', text(`${place}transcript.vtt`));
    const said = vtt.ok ? (vtt.value.at(-1)?.text ?? '') : '';
    expect(said).not.toBe('');
    expect(markdown.replaceAll('\\', '')).toContain(said);
  });
});

it('has one guid for each podcast and episode', () => {
  const feeds = LANGUAGES.map((language) => readFeed(`${language}/podcast/feed.xml`));
  const guids = feeds.flatMap(({ guid, episodes }) => [guid, ...episodes.map((episode) => episode.guid)]);
  expect(new Set(guids).size).toBe(guids.length);
  expect(guids).not.toContain('');
});
