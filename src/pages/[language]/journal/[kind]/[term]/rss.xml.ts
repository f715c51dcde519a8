import type { APIRoute } from 'astro';
import { listArchives } from '#catalogue/journal/journal-pages.ts';
import { categoryFeedPath } from '#catalogue/addresses/paths.ts';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { feedPosts, postFeed } from '#catalogue/feeds/post-feed.ts';
import { itemPaths, loadFile } from '#components/layouts/list-page.ts';
import config from 'virtual:sortiment/options';

/** RSS feeds of the categories. */
export const getStaticPaths = itemPaths((site, language) =>
  listArchives(site, language).flatMap(({ kind, id }) => (kind === 'category' ? { kind, term: id } : [])),
);

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
