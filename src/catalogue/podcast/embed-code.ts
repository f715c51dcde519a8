import type { Embed } from '#contracts/oembed.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';
import type { EpisodeEntry, PodcastEntry } from '#catalogue/entries/podcast.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import { episodeEmbedPath, rootPath } from '../addresses/paths.ts';
import { pictureSources } from '../images/picture-sources.ts';

/** Height of the embedded player in CSS px. Its chapters scroll. */
const HEIGHT_PX = 272;
/** Preferred width in CSS px. The player adapts to others. */
const WIDTH_PX = 640;

/** Returns the HTML for embedding the player of an episode in another site. @param origin URL of this site. */
export function embedCode(
  { language, slug, title }: Pick<EpisodeEntry, 'language' | 'slug' | 'title'>,
  origin: URL,
): string {
  const address = absoluteUrl(episodeEmbedPath(language, slug), origin);
  return (
    `<iframe src="${escapeHtml(address)}" title="${escapeHtml(title)}" width="100%" height="${HEIGHT_PX}"` +
    ` style="border:0" loading="lazy" allow="clipboard-write; web-share"></iframe>`
  );
}

/** Creates the oEmbed response of an episode (https://oembed.com, section 2.3.4). */
export function episodeEmbed(
  episode: EpisodeEntry,
  { podcast, siteName, origin }: { podcast: PodcastEntry; siteName: string; origin: URL },
): Embed {
  const cover = episode.cover ?? podcast.cover;
  const picture = cover && pictureSources(cover, 'thumbnail');
  return {
    version: '1.0',
    type: 'rich',
    provider_name: siteName,
    provider_url: absoluteUrl(rootPath(), origin),
    author_name: podcast.title,
    author_url: absoluteUrl(podcast.path, origin),
    title: episode.title,
    width: WIDTH_PX,
    height: HEIGHT_PX,
    html: embedCode(episode, origin),
    ...(picture && {
      thumbnail_url: absoluteUrl(picture.src, origin),
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    }),
  };
}
