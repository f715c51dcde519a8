import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect } from 'vitest';
import { makeFrames } from '#origin/platform/audio/testing/make-audio.ts';
import { podcastAsset } from '../../tables.ts';
import { openPodcastSite, type PodcastSite } from '../../testing/podcast-site.ts';

/** A text that has to be escaped. */
export const HOSTILE = `<script>alert(1)</script> & "both" ]]> <img src=x onerror=alert(2)>`;
export const AUDIO = makeFrames(100);

export interface Parsed {
  [name: string]: string | Parsed | Parsed[];
}

export type FeedSite = Awaited<ReturnType<typeof openFeedSite>>;

/** The page of an episode that is published on a day of February. */
const page = (day: number) => ({ status: 'publish', date: `2026-02-0${day}T08:00:00` });

/** Opens a podcast with three published episodes, of which `full` has all fields. */
export async function openFeedSite() {
  const site = await openPodcastSite();
  /** Sends a write that has to succeed, as an administrator. */
  const write = async (method: string, path: string, body: object) => {
    const answer = await site.send(method, path, body, 'administrator');
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)]);
  };
  await write('PUT', 'podcast/v2/podcast', {
    title: HOSTILE,
    subtitle: 'Notes on walls',
    summary: HOSTILE,
    author_name: 'Acme Crew',
    podcast_email: 'crew@example.test',
    funding_url: 'https://example.org/give?a=1&b=2',
    funding_label: HOSTILE,
    category: 'Fashion and Beauty',
    language: 'de-CH',
    license_name: 'CC BY 4.0',
    license_url: 'https://creativecommons.org/licenses/by/4.0/',
    cover_image: 'https://example.org/cover.jpg',
  });
  const full = await site.addEpisode('full', {
    audio: AUDIO,
    fields: {
      title: HOSTILE,
      subtitle: HOSTILE,
      summary: HOSTILE,
      guid: 'own-guid-1',
      number: 7,
      season: 2,
      duration: '1:02:03.456',
      type: 'bonus',
      explicit: true,
      soundbite_start: '00:01:00',
      soundbite_duration: '30.5',
      soundbite_title: HOSTILE,
    },
    page: { ...page(3), content: `<p>Notes with <a href="https://example.org/">a link</a></p>${HOSTILE}` },
  });
  await write('PUT', `podcast/v2/chapters/${full.id}`, {
    chapters: [
      { start: '0', title: 'Intro' },
      { start: '60.5', title: HOSTILE, href: 'https://example.org/?a=1&b=2' },
      { start: '1:02:03.456', title: 'Behind the end' },
    ],
  });
  const [vtt] = await site.context.store.db
    .insert(podcastAsset)
    .values({ title: 'Transcript', identifier: 'vtt', fileType: 'vtt', position: 1 })
    .returning();
  await site.context.files.uploads.put('podcast/full.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'));
  await write('PUT', `podcast/v2/episodes/${full.id}/media/${vtt?.id}/enable`, {});
  await site.addEpisode('older', { audio: AUDIO, page: page(1) });
  await site.addEpisode('newer', { audio: AUDIO, page: page(5), fields: { title: 'Newer' } });
  return { ...site, full, write, readFeed: (path?: string) => readFeed(site, path) };
}

/** Reads and parses a feed. */
async function readFeed(site: PodcastSite, path = '/feed/mp3/') {
  const answer = await site.visit(path);
  const xml = await answer.text();
  expect([path, answer.status, XMLValidator.validate(xml)]).toEqual([path, 200, true]);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    isArray: (name) => name === 'item' || name === 'atom:link',
  });
  const { channel } = (parser.parse(xml) as { rss: { channel: Parsed & { item?: Parsed[]; 'atom:link': Parsed[] } } })
    .rss;
  const { item: items = [], ...about } = channel;
  return { xml, channel: about, items, etag: answer.headers.get('etag') ?? '', headers: answer.headers };
}
