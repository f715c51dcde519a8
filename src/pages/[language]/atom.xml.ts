import type { APIRoute, GetStaticPaths } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { atomPath, journalPath } from '#catalogue/addresses/paths.ts';
import { atomFeed, feedPosts } from '#catalogue/feeds/post-feed.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { createUi } from '#i18n/index.ts';
import config from '#sortiment.config.ts';

/** Posts of each language as Atom. */
export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages.filter(({ code }) => site.hasPosts(code)).map(({ code }) => ({ params: { language: code } }));
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '' }, site: address }) => {
  const site = await loadSite();
  const ui = createUi(site.dictionaries, language, site.mainLanguage);
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
