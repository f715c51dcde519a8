import type { APIRoute } from 'astro';
import { composeChangeRss } from '#catalogue/feeds/change-rss.ts';
import { loadChanges } from '#catalogue/feeds/load-changes.ts';
import { originOf } from '#catalogue/addresses/origin-of.ts';
import config from '#sortiment.config.ts';

export const GET: APIRoute = async ({ site }) => {
  const feed = composeChangeRss(await loadChanges(), { name: config.site.name, origin: originOf(site) });
  return new Response(feed, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
};
