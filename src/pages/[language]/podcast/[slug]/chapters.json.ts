import { findEpisode } from '#catalogue/podcast/podcast-pages.ts';
import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { absoluteChapters } from '#catalogue/podcast/podcast-feed.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { itemPaths } from '#components/layouts/list-page.ts';
import { PODCAST_CHAPTERS_TYPE, writeChapters } from '#contracts/podcast/chapter.ts';

/** Chapters of an episode for podcast apps. */
export const getStaticPaths = itemPaths((site, language) =>
  site.episodes(language).flatMap(({ slug, chapters }) => (chapters.length > 0 ? { slug } : [])),
);

export const GET: APIRoute = async ({ params: { language = '', slug = '' }, site: address }) => {
  const site = await loadSite();
  const episode = findEpisode(site, language, slug);
  if (!episode) return new Response(undefined, { status: 404 });
  const chapters = writeChapters('pijson', absoluteChapters(episode.chapters, siteOrigin(address)));
  return new Response(chapters, { headers: { 'content-type': PODCAST_CHAPTERS_TYPE } });
};
