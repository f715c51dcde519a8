import type { APIRoute } from 'astro';
import { absoluteUrl, sitePath } from '#catalogue/addresses/site-paths.ts';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { robotsText } from '#catalogue/crawlers/llms-text.ts';
import config from 'virtual:sortiment/options';

export const GET: APIRoute = ({ site }) =>
  new Response(robotsText(config.crawlers, absoluteUrl(sitePath('/sitemap-index.xml'), siteOrigin(site))), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
