import type { APIRoute } from 'astro';
import { originOf } from '../catalogue/addresses/origin-of.ts';
import { robotsText } from '../catalogue/crawlers/robots-text.ts';
import config from '../sortiment.config.ts';

export const GET: APIRoute = ({ site }) =>
  new Response(robotsText(config.crawlers, new URL('sitemap-index.xml', originOf(site)).href), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
