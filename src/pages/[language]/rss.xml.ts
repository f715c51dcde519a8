import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { feedPath } from '#catalogue/addresses/paths.ts';
import { feedPosts, postFeed } from '#catalogue/feeds/post-feed.ts';
import { journalPaths, loadFile } from '#components/layouts/list-page.ts';
import config from 'virtual:sortiment/options';

export const getStaticPaths = journalPaths;

export const GET: APIRoute = async ({ params: { language = '' }, site: address }) => {
  const { site, ui } = await loadFile(language);
  return postFeed({
    title: `${config.site.name}: ${ui.t('nav.journal')}`,
    description: ui.t('journal.description'),
    language: ui.lang,
    site: siteOrigin(address),
    path: feedPath(language),
    posts: feedPosts(site, language),
    hub: config.seo.hub,
  });
};
