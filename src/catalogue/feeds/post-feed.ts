import { absoluteUrl } from '../addresses/absolute-url.ts';
import { rootPath } from '../addresses/paths.ts';
import type { PostEntry } from '#model/entries.ts';
import { escapeXml } from '#contracts/html/index.ts';

const MAX_ITEMS = 50;

export interface PostFeed {
  title: string;
  description: string;
  /** BCP 47. */
  language: string;
  /** Address of the whole site. */
  site: URL;
  /** Root-relative path of the feed. */
  path: string;
  posts: readonly PostEntry[];
}

/** RSS of posts, the newest first. */
export async function postFeed({ title, description, language, site, path, posts }: PostFeed): Promise<Response> {
  // With what it brings, it would be a part of what every build loads, and few have to write a feed.
  const { default: rss } = await import('@astrojs/rss');
  const newest = posts.toSorted((a, b) => b.published.getTime() - a.published.getTime());
  return rss({
    title,
    description,
    site: absoluteUrl(rootPath(), site),
    trailingSlash: true,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData:
      `<language>${language}</language>` +
      `<atom:link href="${escapeXml(absoluteUrl(path, site))}" rel="self" type="application/rss+xml"/>`,
    items: newest.slice(0, MAX_ITEMS).map((post) => ({
      title: post.title,
      link: post.path,
      pubDate: post.published,
      description: post.excerpt,
      categories: post.categories.map(({ name }) => name),
    })),
  });
}
