import type { APIRoute } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { composeChangeFeed } from '#catalogue/feeds/change-feed.ts';
import { loadChanges } from '#catalogue/feeds/load-changes.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { changeTexts } from '#components/change-texts.ts';
import { createUi } from '#i18n/index.ts';
import config from 'virtual:sortiment/options';

export const GET: APIRoute = async ({ site }) => {
  const { dictionaries, mainLanguage } = await loadSite();
  const feed = composeChangeFeed(await loadChanges(), {
    words: changeTexts(createUi(dictionaries, mainLanguage, mainLanguage), config),
    origin: siteOrigin(site),
    hub: config.seo.hub,
  });
  return new Response(`${JSON.stringify(feed)}\n`, { headers: { 'content-type': 'application/feed+json' } });
};
