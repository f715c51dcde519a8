import type { APIRoute } from 'astro';
import { originOf } from '#catalogue/addresses/origin-of.ts';
import { composeChangeRss } from '#catalogue/feeds/change-feed.ts';
import { loadChanges } from '#catalogue/feeds/load-changes.ts';
import config from '#sortiment.config.ts';

export const GET: APIRoute = async ({ site }) => {
  const feed = composeChangeRss(await loadChanges(), {
    name: config.site.name,
    origin: originOf(site),
    hub: config.seo.hub,
  });
  return new Response(feed, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
};
