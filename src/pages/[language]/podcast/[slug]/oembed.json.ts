import { findEpisode } from '#catalogue/podcast/podcast-pages.ts';
import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { episodeEmbed } from '#catalogue/podcast/episode-player.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { episodePaths } from '#components/layouts/list-page.ts';
import config from 'virtual:sortiment/options';

/** oEmbed document of an episode's player (https://oembed.com). */
export const getStaticPaths = episodePaths;

export const GET: APIRoute = async ({ params: { language = '', slug = '' }, site: address }) => {
  const site = await loadSite();
  const podcast = site.podcast(language);
  const episode = findEpisode(site, language, slug);
  if (!podcast || !episode) return new Response(undefined, { status: 404 });
  const embed = episodeEmbed(episode, { podcast, siteName: config.site.name, origin: siteOrigin(address) });
  return new Response(JSON.stringify(embed), { headers: { 'content-type': 'application/json' } });
};
