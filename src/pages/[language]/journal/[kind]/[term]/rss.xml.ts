import type { APIRoute, GetStaticPaths } from 'astro';
import { listArchives } from '#catalogue/journal/journal-pages.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { categoryFeedPath } from '#catalogue/addresses/paths.ts';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { feedPosts, postFeed } from '#catalogue/feeds/post-feed.ts';
import { loadFile } from '#components/layouts/list-page.ts';
import config from 'virtual:sortiment/options';

/** RSS feeds of the categories. */
export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages.flatMap(({ code }) =>
    listArchives(site, code)
      .filter(({ kind }) => kind === 'category')
      .map(({ kind, id }) => ({
        params: { language: code, kind, term: id },
      })),
  );
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '', kind, term }, site: address }) => {
  const { site, ui } = await loadFile(language);
  const archive = listArchives(site, language).find((one) => one.kind === kind && one.id === term);
  if (!archive) return new Response(undefined, { status: 404 });
  const name = archive.name ?? archive.id;
  return postFeed({
    title: `${config.site.name}: ${name}`,
    description: ui.t('archive.category', { name }),
    language: ui.lang,
    site: siteOrigin(address),
    path: categoryFeedPath(language, archive.id),
    posts: feedPosts(site, language, archive.id),
    hub: config.seo.hub,
  });
};
