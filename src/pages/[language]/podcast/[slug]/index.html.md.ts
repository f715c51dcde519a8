import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { episodeMarkdown } from '#catalogue/podcast/episode-markdown.ts';
import { episodeProducts, findEpisode } from '#catalogue/podcast/podcast-pages.ts';
import { episodePaths, loadFile } from '#components/layouts/list-page.ts';

/** Markdown version of an episode's page, as https://llmstxt.org proposes. */
export const getStaticPaths = episodePaths;

export const GET: APIRoute = async ({ params: { language = '', slug = '' }, site: address }) => {
  const { site, ui } = await loadFile(language);
  const podcast = site.podcast(language);
  const episode = findEpisode(site, language, slug);
  if (!podcast || !episode) return new Response(undefined, { status: 404 });
  const { t, formats } = ui;
  const { season, number, published } = episode;
  const metadata = [
    ...(season === undefined ? [] : [t('podcast.season', { number: season })]),
    ...(number === undefined ? [] : [t('podcast.number', { number })]),
    formats.date(published),
  ];
  const text = episodeMarkdown(
    episode,
    { t, facts: metadata },
    { podcast, products: episodeProducts(site, episode), cues: site.transcript(episode), origin: siteOrigin(address) },
  );
  return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
};
