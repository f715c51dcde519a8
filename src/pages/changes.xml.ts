import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { composeChangeRss } from '#catalogue/feeds/change-feed.ts';
import { loadChanges } from '#catalogue/feeds/load-changes.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { changeTexts } from '#components/change-texts.ts';
import { createUi } from '#i18n/index.ts';
import config from 'virtual:sortiment/options';

export const GET: APIRoute = async ({ site }) => {
  const { dictionaries, mainLanguage } = await loadSite();
  const feed = composeChangeRss(await loadChanges(), {
    words: changeTexts(createUi(dictionaries, mainLanguage, mainLanguage), config),
    origin: siteOrigin(site),
    hub: config.seo.hub,
  });
  return new Response(feed, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
};
