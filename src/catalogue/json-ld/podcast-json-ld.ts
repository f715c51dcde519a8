import type { Cue } from '#contracts/podcast/index.ts';
import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { transcriptMimeType } from '#contracts/podcast/transcript.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { ProductListEntry, AudioFile, EpisodeEntry, PodcastEntry } from '#catalogue/entries/entries.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import { episodeTranscriptPath, podcastFeedPath } from '../addresses/paths.ts';
import { pictureSources } from '../images/image-variants.ts';
import { type JsonLdNode, organizationReference } from './site-json-ld.ts';
import { productReference } from './product-json-ld.ts';

/** Longer transcripts are only linked, because the page contains them. */
const MAX_TRANSCRIPT_CHARACTERS = 5_000;

interface PublisherOptions {
  site: URL;
  maker: string;
}

/** Creates the node of the podcast for its page. Episodes refer to it by `@id`. */
export function podcastJsonLd(podcast: PodcastEntry, { site, maker }: PublisherOptions): JsonLdNode {
  const publisher = organizationReference(maker, site);
  const { category } = podcast;
  return {
    '@type': 'PodcastSeries',
    ...seriesReference(podcast, site),
    ...(podcast.subtitle && { alternativeHeadline: podcast.subtitle }),
    ...(podcast.summary && { description: podcast.summary }),
    inLanguage: toBcp47(podcast.language),
    webFeed: absoluteUrl(podcastFeedPath(podcast.language), site),
    author: podcast.author ? { '@type': 'Organization', name: podcast.author } : publisher,
    publisher,
    ...(category && { genre: category.leaf ?? category.top }),
    ...(podcast.copyright && { copyrightNotice: podcast.copyright }),
    ...(podcast.license?.url && { license: podcast.license.url }),
    ...(podcast.listen.length > 0 && { sameAs: podcast.listen.map(({ url }) => url) }),
    ...(podcast.cover && { image: [absoluteUrl(pictureSources(podcast.cover, 'figure').src, site)] }),
  };
}

function seriesReference({ title, path }: PodcastEntry, site: URL) {
  const url = absoluteUrl(path, site);
  return { '@id': `${url}#podcast`, url, name: title };
}

/**
 * Creates the node of an episode with its audio file, chapters as clips, and mentioned products.
 * @param cues Transcript.
 */
export function episodeJsonLd(
  episode: EpisodeEntry,
  {
    podcast,
    products,
    cues,
    site,
    maker,
  }: PublisherOptions & { podcast: PodcastEntry; products: readonly ProductListEntry[]; cues: readonly Cue[] },
): JsonLdNode {
  const url = absoluteUrl(episode.path, site);
  const { season, number, chapters, durationMs, contributors } = episode;
  const cover = episode.cover ?? podcast.cover;
  const publisher = organizationReference(maker, site);
  const license = episode.license?.url ?? podcast.license?.url;
  return {
    '@type': 'PodcastEpisode',
    '@id': `${url}#episode`,
    url,
    mainEntityOfPage: { '@id': url },
    identifier: episode.guid,
    name: episode.title,
    ...((episode.summary || episode.subtitle) && { description: episode.summary || episode.subtitle }),
    ...(number !== undefined && { episodeNumber: number }),
    ...(season !== undefined && { partOfSeason: { '@type': 'PodcastSeason', seasonNumber: season } }),
    partOfSeries: { '@type': 'PodcastSeries', ...seriesReference(podcast, site) },
    datePublished: episode.published.toISOString(),
    dateModified: episode.modified.toISOString(),
    inLanguage: toBcp47(episode.language),
    ...(durationMs > 0 && { duration: isoDuration(durationMs), timeRequired: isoDuration(durationMs) }),
    isFamilyFriendly: !episode.explicit,
    author: contributors.length > 0 ? contributors.map(({ name }) => ({ '@type': 'Person', name })) : publisher,
    publisher,
    ...(license && { license }),
    ...(cover && { image: [absoluteUrl(pictureSources(cover, 'figure').src, site)] }),
    associatedMedia: episode.audio.map((file) => audioNode(file, episode, cues, site)),
    ...(chapters.length > 0 && {
      hasPart: chapters.map(({ startMs, title }, i) => ({
        '@type': 'Clip',
        position: i + 1,
        name: title,
        startOffset: startMs / 1000,
        endOffset: (chapters[i + 1]?.startMs ?? Math.max(durationMs, startMs)) / 1000,
        url: `${url}#t=${shortPlayTime(startMs)}`,
      })),
    }),
    ...(products.length > 0 && {
      mentions: products.map((product) => productReference(product, site)),
    }),
  };
}

function audioNode(
  { href, mimeType, bytes, digest }: AudioFile,
  { language, slug, title, durationMs, transcript, modified }: EpisodeEntry,
  cues: readonly Cue[],
  site: URL,
): JsonLdNode {
  const transcriptText = cues.map(({ text }) => text).join(' ');
  return {
    '@type': 'AudioObject',
    name: title,
    contentUrl: absoluteUrl(href, site),
    encodingFormat: mimeType,
    ...(bytes > 0 && { contentSize: String(bytes) }),
    ...(durationMs > 0 && { duration: isoDuration(durationMs) }),
    uploadDate: modified.toISOString(),
    inLanguage: toBcp47(language),
    ...(digest && { sha256: digest }),
    ...(transcript && {
      caption: {
        '@type': 'MediaObject',
        contentUrl: absoluteUrl(episodeTranscriptPath(language, slug, 'vtt'), site),
        encodingFormat: transcriptMimeType('webvtt'),
        inLanguage: toBcp47(language),
      },
    }),
    ...(transcriptText && transcriptText.length <= MAX_TRANSCRIPT_CHARACTERS && { transcript: transcriptText }),
  };
}

/** Formats a duration as ISO 8601, `PT1H2M3S`. */
export function isoDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `PT${h > 0 ? `${h}H` : ''}${m > 0 ? `${m}M` : ''}${s > 0 || seconds < 60 ? `${s}S` : ''}`;
}
