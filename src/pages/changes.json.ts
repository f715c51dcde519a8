import type { APIRoute } from 'astro';
import { composeChangeFeed } from '../catalogue/change-feed.ts';
import { loadChanges } from '../catalogue/load-changes.ts';
import { originOf } from '../catalogue/origin-of.ts';
import config from '../sortiment.config.ts';

export const GET: APIRoute = async ({ site }) => {
  const feed = composeChangeFeed(await loadChanges(), { name: config.site.name, origin: originOf(site) });
  return new Response(`${JSON.stringify(feed)}\n`, { headers: { 'content-type': 'application/feed+json' } });
};
