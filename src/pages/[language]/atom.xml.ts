import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { atomPath, journalPath } from '#catalogue/addresses/paths.ts';
import { atomFeed, feedPosts } from '#catalogue/feeds/post-feed.ts';
import { journalPaths, loadFile } from '#components/layouts/list-page.ts';
import config from 'virtual:sortiment/options';

/** Posts of each language as Atom. */
export const getStaticPaths = journalPaths;

export const GET: APIRoute = async ({ params: { language = '' }, site: address }) => {
  const { site, ui } = await loadFile(language);
  const feed = atomFeed({
    title: `${config.site.name}: ${ui.t('nav.journal')}`,
    description: ui.t('journal.description'),
    language: ui.lang,
    site: siteOrigin(address),
    path: atomPath(language),
    page: journalPath(language),
    author: config.maker.name,
    posts: feedPosts(site, language),
    hub: config.seo.hub,
  });
  return new Response(feed, { headers: { 'content-type': 'application/atom+xml; charset=utf-8' } });
};
