import rss from '@astrojs/rss';
import type { APIRoute, GetStaticPaths } from 'astro';
import { loadSite } from '../../catalogue/load-site.ts';
import { originOf } from '../../catalogue/origin-of.ts';
import { feedKey } from '../../catalogue/page-keys.ts';
import { keyed } from '../../catalogue/to-render.ts';
import { createUi } from '../../i18n/index.ts';
import config from '../../sortiment.config.ts';

const MAX_ITEMS = 50;

export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages
    .filter(({ code }) => site.posts(code).length > 0)
    .map(({ code }) => ({ params: { language: code }, ...keyed(() => feedKey(site, code)) }));
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '' }, site: address }) => {
  const site = await loadSite();
  const ui = createUi(site.dictionaries, language, site.mainLanguage);
  const newest = site.posts(language).toSorted((a, b) => b.published.getTime() - a.published.getTime());
  return rss({
    title: `${config.site.name}: ${ui.t('nav.journal')}`,
    description: ui.t('journal.description'),
    site: originOf(address),
    trailingSlash: true,
    customData: `<language>${ui.lang}</language>`,
    items: newest.slice(0, MAX_ITEMS).map(({ title, path, published, excerpt, categories }) => ({
      title,
      link: path,
      pubDate: published,
      description: excerpt,
      categories: categories.map(({ name }) => name),
    })),
  });
};
