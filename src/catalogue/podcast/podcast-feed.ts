import { decodeHtml, escapeHtml } from '#contracts/html/html-text.ts';
import type { Chapter } from '#contracts/podcast/chapter.ts';
import { type FeedDocument, type FeedItem, podcastGuid } from '#contracts/podcast/feed-document.ts';
import { transcriptMimeType } from '#contracts/podcast/transcript.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { ImageAsset, EpisodeChapter, EpisodeEntry, PodcastEntry } from '#catalogue/entries/entries.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import {
  episodeChaptersPath,
  episodeTranscriptPath,
  podcastFeedPath,
  podcastPath,
  TRANSCRIPT_FILES,
} from '../addresses/paths.ts';
import { shopImages, pictureSources } from '../images/image-variants.ts';
import { cacheByObject } from '../cache.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import type { ListPage } from '../site/navigation.ts';
import { preferredAudio } from './episode-player.ts';

/** Apps and directories accept feeds of up to 2 MB, including the channel. */
const MAX_ITEMS_BYTES = 1_900_000;

/**
 * Returns the pages of a feed. The first has the newest episodes and links to older pages. Long notes reduce the number
 * of episodes per page.
 */
export function podcastFeedPages(
  site: Pick<Site, 'podcast' | 'episodes'>,
  language: string,
  episodesPerFeed: number,
): ListPage<EpisodeEntry>[] {
  if (!site.podcast(language)) return [];
  const pages: EpisodeEntry[][] = [[]];
  let bytes = 0;
  for (const episode of site.episodes(language).filter(({ audio }) => audio.length > 0)) {
    const more = maxItemBytes(episode);
    const last = pages.at(-1) ?? [];
    const isFull = last.length === episodesPerFeed || (last.length > 0 && bytes + more > MAX_ITEMS_BYTES);
    if (isFull) pages.push([episode]);
    else last.push(episode);
    bytes = isFull ? more : bytes + more;
  }
  return pages.map((items, i) => ({ items, number: i + 1, total: pages.length }));
}

/** Returns a page of a feed. The read is tracked, so that a change rewrites the page. */
export const podcastFeedPage = trackedQuery(
  'podcastFeedPage',
  ['podcasts', 'episodes'],
  (site: Pick<Site, 'podcast' | 'episodes'>, language: string, episodesPerFeed: number, number: number) =>
    podcastFeedPages(site, language, episodesPerFeed)[number - 1],
);

/** Estimated size of tags and URLs of an episode. */
const FRAME_BYTES = 3000;
/** Additional bytes of an absolute URL, or of a chapter's tag. */
const ADDRESS_BYTES = 80;
/** Additional bytes of an escaped character. */
const ESCAPE_BYTES = 5;

/**
 * Estimates the maximum size of an episode in a feed. Rendering all episodes would take as long as the feed itself.
 * Cached, because each page of a feed needs the sizes of all episodes.
 */
const maxItemBytes = cacheByObject((episode: EpisodeEntry): number => {
  const { title, subtitle, summary, chapters, contributors, license, html } = episode;
  const texts = JSON.stringify([title, title, subtitle, summary, summary, chapters, contributors, license]);
  return (
    FRAME_BYTES +
    Buffer.byteLength(texts) +
    countOf(texts, /[&<>]|\\"/g) * ESCAPE_BYTES +
    chapters.length * ADDRESS_BYTES +
    Buffer.byteLength(html) +
    countOf(html, /\s(?:href|src)=|data-asset=|\]\]>/g) * ADDRESS_BYTES
  );
});

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns the name of a feed page without extension: `feed`, `feed-2`. */
export function feedName(number: number): string {
  return number === 1 ? 'feed' : `feed-${number}`;
}

/**
 * Creates a page of a podcast feed. Its content depends only on the arguments.
 * @param others The podcast in other languages.
 */
export function podcastFeed(
  podcast: PodcastEntry,
  { items, number, total }: ListPage<EpisodeEntry>,
  { origin, others, hub }: { origin: URL; others: readonly PodcastEntry[]; hub?: string | undefined },
): FeedDocument {
  const { language, funding, license, cover, email, category } = podcast;
  const address = (page: number): string => absoluteUrl(`${podcastPath(language)}${feedName(page)}.xml`, origin);
  return {
    channel: {
      title: podcast.title,
      link: absoluteUrl(podcast.path, origin),
      subtitle: podcast.subtitle,
      summary: podcast.summary,
      updated: new Date(
        Math.max(0, ...items.map(({ modified, published }) => Number(modified > published ? modified : published))),
      ),
      address: {
        self: address(number),
        hub: number === 1 ? hub : undefined,
        ...(total > 1 && {
          first: address(1),
          previous: number > 1 ? address(number - 1) : undefined,
          next: number < total ? address(number + 1) : undefined,
          last: address(total),
        }),
        alternates: others.map((other) => ({
          title: other.title,
          href: absoluteUrl(podcastFeedPath(other.language), origin),
          language: toBcp47(other.language),
        })),
      },
      language: toBcp47(language),
      generator: 'Sortiment',
      // Directories treat podcasts with the same guid as one, so each language has its own.
      guid: podcast.guid ?? podcastGuid(address(1)),
      copyright: podcast.copyright,
      author: podcast.author,
      email,
      type: podcast.type,
      category: category && { top: category.top, ...(category.leaf !== undefined && { leaf: category.leaf }) },
      image: coverAddress(cover, origin),
      isExplicit: podcast.explicit,
      funding: funding && { name: funding.label, href: funding.url },
      license: license && { name: license.name, href: license.url },
      // Locking requires an email address, which other hosts use to verify the owner.
      isLocked: email !== undefined,
    },
    items: items.flatMap((episode) => feedItem(episode, origin) ?? []),
  };
}

function feedItem(episode: EpisodeEntry, origin: URL): FeedItem | undefined {
  const { language, slug, soundbite, license, contributors } = episode;
  const file = preferredAudio(episode);
  if (!file) return undefined;
  return {
    title: episode.title,
    link: absoluteUrl(episode.path, origin),
    guid: episode.guid,
    published: episode.published,
    subtitle: episode.subtitle,
    summary: episode.summary,
    notes: absoluteUrls(episode.html, origin),
    file: { href: absoluteUrl(file.href, origin), bytes: file.bytes, mimeType: file.mimeType },
    durationMs: episode.durationMs,
    number: episode.number,
    season: episode.season,
    type: episode.type,
    isExplicit: episode.explicit,
    image: coverAddress(episode.cover, origin),
    chapters: absoluteChapters(episode.chapters, origin),
    chaptersHref: absoluteUrl(episodeChaptersPath(language, slug), origin),
    transcripts: episode.transcript
      ? TRANSCRIPT_FILES.map(({ extension, format }) => ({
          href: absoluteUrl(episodeTranscriptPath(language, slug, extension), origin),
          mimeType: transcriptMimeType(format),
          language: toBcp47(language),
        }))
      : [],
    soundbite,
    license: license && { name: license.name, href: license.url },
    persons: contributors,
  };
}

export function absoluteChapters(chapters: readonly EpisodeChapter[], origin: URL): Chapter[] {
  return chapters.map(({ startMs, title, href, image }) => ({
    startMs,
    title,
    ...(href && { href: absoluteUrl(href, origin) }),
    ...(image && { image: absoluteUrl(pictureSources(image, 'figure').src, origin) }),
  }));
}

/** Returns the cover as a JPEG of at least 1400 pixels if available, as directories require. */
function coverAddress(cover: ImageAsset | undefined, origin: URL): string | undefined {
  const largest = cover && shopImages(cover).at(-1);
  return largest && absoluteUrl(largest.path, origin);
}

function absoluteUrls(html: string, origin: URL): string {
  return html
    .replace(/<img\b[^<>]*>/g, (tag) => {
      const [digest, width, height] = ['data-asset', 'width', 'height'].map(
        (name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '',
      );
      if (!digest || !(Number(width) > 0)) return tag;
      const { src } = pictureSources({ digest, width: Number(width), height: Number(height) }, 'figure');
      return `${tag.slice(0, -1).replace(/\s(?:data-asset|data-animation|src)="[^"]*"/g, '')} src="${escapeHtml(absoluteUrl(src, origin))}">`;
    })
    .replace(/(\shref=")([^"]*)"/g, (whole, start: string, href: string) =>
      href.startsWith('#') ? whole : `${start}${escapeHtml(absoluteUrl(decodeHtml(href), origin))}"`,
    );
}
