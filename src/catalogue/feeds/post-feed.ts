import { absoluteUrl } from '../addresses/site-paths.ts';
import { rootPath } from '../addresses/paths.ts';
import type { PostEntry } from '#catalogue/entries/entries.ts';
import { escapeXml } from '#contracts/html/html-text.ts';
import { journalArchives } from '../journal/journal-pages.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import { withoutHidden } from '../seo/head.ts';
import type { Site } from '../site/load-site.ts';

const MAX_ITEMS = 50;

export interface PostFeed {
  title: string;
  description: string;
  /** BCP 47. */
  language: string;
  /** URL of the site. */
  site: URL;
  /** Root-relative path of the feed. */
  path: string;
  posts: readonly PostEntry[];
  /** URL of a WebSub hub that notifies subscribers. */
  hub?: string | undefined;
}

function latestPosts(posts: readonly PostEntry[]): PostEntry[] {
  return posts.toSorted((a, b) => b.published.getTime() - a.published.getTime()).slice(0, MAX_ITEMS);
}

/** Returns the posts of the feed of a language or category, without posts that an editor hides. */
export const feedPosts = trackedQuery(
  'feedPosts',
  ['posts', 'heads'],
  (site: Pick<Site, 'posts' | 'head'>, language: string, category?: string | null) => {
    const archive = journalArchives(site, language).find(({ kind, id }) => kind === 'category' && id === category);
    return latestPosts(withoutHidden(site, category ? (archive?.posts ?? []) : site.posts(language)));
  },
);

/** Creates RSS of posts, newest first. */
export async function postFeed({ title, description, language, site, path, posts, hub }: PostFeed): Promise<Response> {
  // Loaded lazily, because few builds write a feed.
  const { default: rss } = await import('@astrojs/rss');
  return rss({
    title,
    description,
    site: absoluteUrl(rootPath(), site),
    trailingSlash: true,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData:
      `<language>${language}</language>` +
      `<atom:link href="${escapeXml(absoluteUrl(path, site))}" rel="self" type="application/rss+xml"/>` +
      hubLink(hub),
    items: latestPosts(posts).map((post) => ({
      title: post.title,
      link: post.path,
      pubDate: post.published,
      description: post.excerpt,
      categories: post.categories.map(({ name }) => name),
    })),
  });
}

/** Returns the hub link for an RSS channel that declares the `atom` namespace. */
export function hubLink(hub: string | undefined): string {
  return hub === undefined ? '' : `<atom:link href="${escapeXml(hub)}" rel="hub"/>`;
}

/**
 * Creates Atom of posts (RFC 4287).
 * @param page Path of the page that lists the posts.
 * @param author Author of posts that name none.
 */
export function atomFeed({ title, description, language, site, path, posts, hub, page, author }: AtomFeed): string {
  const newest = latestPosts(posts);
  const self = absoluteUrl(path, site);
  const updated = newest.reduce((latest, { modified }) => (modified > latest ? modified : latest), new Date(0));
  const entries = newest.map((post) => {
    const url = absoluteUrl(post.path, site);
    return [
      `<entry>`,
      element('id', url),
      element('title', post.title),
      `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
      element('published', post.published.toISOString()),
      element('updated', post.modified.toISOString()),
      ...(post.author ? [`<author>${element('name', post.author)}</author>`] : []),
      ...post.categories.map(({ slug, name }) => `<category term="${escapeXml(slug)}" label="${escapeXml(name)}"/>`),
      ...(post.excerpt ? [element('summary', post.excerpt)] : []),
      '</entry>',
    ].join('');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">
${element('id', self)}
${element('title', title)}
${element('subtitle', description)}
${element('updated', updated.toISOString())}
<author>${element('name', author)}</author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(absoluteUrl(page, site))}"/>
${[...(hub === undefined ? [] : [`<link rel="hub" href="${escapeXml(hub)}"/>`]), ...entries].join('\n')}
</feed>
`;
}

interface AtomFeed extends PostFeed {
  page: string;
  author: string;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
