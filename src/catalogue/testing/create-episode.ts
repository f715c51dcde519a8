import { episodeMentions } from '../podcast/podcast-pages.ts';
import { episodeEntry, podcastEntry, type EpisodeEntry, type PodcastEntry } from '../entries/entries.ts';

/** Creates a podcast for tests. */
export function createPodcast(changes: Partial<PodcastEntry> = {}): PodcastEntry {
  const language = changes.language ?? 'en-gb';
  return podcastEntry.parse({
    language,
    title: 'Clearing the Air',
    subtitle: 'For people who build airtight',
    summary: 'Membranes & tapes.',
    guid: '2fdc945d-fc12-475a-98a2-307b416378e5',
    author: 'Haldenwerk',
    email: 'editors@haldenwerk.example',
    category: { top: 'Business' },
    type: 'episodic',
    explicit: false,
    copyright: 'Haldenwerk GmbH',
    listen: [],
    path: `/${language}/podcast/`,
    ...changes,
  });
}

/** Creates an episode with an audio file, two chapters and a transcript. */
export function createEpisode(changes: Partial<EpisodeEntry> = {}): EpisodeEntry {
  const { language = 'en-gb', slug = 'minus-five' } = changes;
  const path = `/${language}/podcast/${slug}/`;
  const entry = {
    sourceId: 4,
    language,
    slug,
    guid: `guid-of-${slug}`,
    title: `About ${slug}`,
    type: 'full',
    subtitle: 'Bonding on a winter roof',
    summary: 'What sticks at which temperature.',
    html: '<p>KLEVENTO Uni 60 holds.</p>',
    published: '2026-10-27T06:00:00Z',
    modified: '2026-10-28T06:00:00Z',
    durationMs: 175_409,
    explicit: false,
    audio: [
      { href: '/audio/a/minus-five.opus', fileName: 'minus-five.opus', mimeType: 'audio/opus', bytes: 466_876 },
      { href: '/audio/b/minus-five.mp3', fileName: 'minus-five.mp3', mimeType: 'audio/mpeg', bytes: 702_754 },
    ],
    chapters: [
      { startMs: 0, title: 'Monday' },
      { startMs: 83_500, title: 'Tapes <60', href: '/en-gb/p/klevento-uni-60-9524010000085/' },
    ],
    transcript: 'c0ffee',
    contributors: [{ name: 'Editors', role: 'author' }],
    tags: [],
    translations: { [language]: path },
    path,
    ...changes,
  };
  return episodeEntry.parse({ mentions: episodeMentions(entry), ...entry });
}

/** Creates the part of a site that pages need for a podcast in one language. */
export function createPodcastSite(podcast: PodcastEntry, episodes: readonly EpisodeEntry[]) {
  const isOf = (language: string): boolean => language === podcast.language;
  return {
    languages: [
      { code: podcast.language, name: podcast.language },
      { code: 'fr-fr', name: 'fr-fr' },
    ],
    podcast: (language: string) => (isOf(language) ? podcast : undefined),
    episodes: (language: string) => (isOf(language) ? episodes : []),
  };
}
