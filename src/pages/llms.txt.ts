import type { APIRoute } from 'astro';
import { llmsText } from '#catalogue/crawlers/llms-text.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { createUi, removeMarks } from '#i18n/index.ts';
import config from 'virtual:sortiment/options';

export const GET: APIRoute = async ({ site: address }) => {
  const site = await loadSite();
  const text = llmsText(site, {
    name: config.site.name,
    descriptions: config.site.description,
    origin: siteOrigin(address),
    words: (language) => createUi(site.dictionaries, language, site.mainLanguage),
  });
  return new Response(removeMarks(text), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
};
