import { escapeHtml } from '#contracts/html/index.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import { episodeEmbedPath } from '../addresses/paths.ts';
import type { EpisodeEntry } from './episode-audio.ts';

/** As high as the player is in a page of another site; its chapters scroll. */
export const EMBED_HEIGHT_PX = 232;
/** What the page that shows it may be narrower than. */
export const EMBED_WIDTH_PX = 640;

/** HTML with which pages of others show the player of an episode. @param site Origin of this site. */
export function embedCode({ language, slug, title }: EpisodeEntry, site: URL): string {
  const address = absoluteUrl(episodeEmbedPath(language, slug), site);
  return (
    `<iframe src="${escapeHtml(address)}" title="${escapeHtml(title)}" width="100%" height="${EMBED_HEIGHT_PX}"` +
    ` style="border:0" loading="lazy" allow="clipboard-write; web-share"></iframe>`
  );
}
