import type { APIRoute, GetStaticPaths } from 'astro';
import { siteOrigin } from '#catalogue/addresses/site-origin.ts';
import { feedName, podcastFeed, podcastFeedPage, podcastFeedPages } from '#catalogue/podcast/podcast-feed.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { FEED_MIME_TYPE, writeFeed } from '#contracts/podcast/feed-document.ts';
import config from 'virtual:sortiment/options';

/** Feed of each podcast: `feed.xml`, and further pages if there are many episodes. */
export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages.flatMap(({ code }) =>
    podcastFeedPages(site, code, config.podcast.feedItems).map((page) => ({
      params: { language: code, feed: feedName(page.number) },
      props: { number: page.number },
    })),
  );
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ number: number }> = async ({ params: { language = '' }, props, site: address }) => {
  const site = await loadSite();
  const podcast = site.podcast(language);
  const page = podcastFeedPage(site, language, config.podcast.feedItems, props.number);
  if (!podcast || !page) return new Response(undefined, { status: 404 });
  const document = podcastFeed(podcast, page, {
    origin: siteOrigin(address),
    others: site.languages.flatMap(({ code }) => (code === language ? [] : (site.podcast(code) ?? []))),
    hub: config.seo.hub,
  });
  return new Response(writeFeed(document), { headers: { 'content-type': `${FEED_MIME_TYPE}; charset=utf-8` } });
};
