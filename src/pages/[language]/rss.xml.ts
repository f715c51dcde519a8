import type { APIRoute, GetStaticPaths } from 'astro';
import { loadSite } from '#catalogue/site/load-site.ts';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { feedPath } from '#catalogue/addresses/paths.ts';
import { feedPosts, postFeed } from '#catalogue/feeds/post-feed.ts';
import { createUi } from '#i18n/index.ts';
import config from '#sortiment.config.ts';

export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages.filter(({ code }) => site.hasPosts(code)).map(({ code }) => ({ params: { language: code } }));
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '' }, site: address }) => {
  const site = await loadSite();
  const ui = createUi(site.dictionaries, language, site.mainLanguage);
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
