import type { APIRoute } from 'astro';
import { originOf } from '../catalogue/origin-of.ts';

export const GET: APIRoute = ({ site }) =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${new URL('sitemap-index.xml', originOf(site)).href}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
