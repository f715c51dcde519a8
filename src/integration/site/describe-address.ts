import type { SitemapItem } from '@astrojs/sitemap';
import type { PageHead } from './read-head.ts';

/**
 * The sitemap's entry for an address: the alternates that the page itself names and the date of its content. Undefined
 * for what search engines should leave out: pages that say so, and those that stand for another one.
 */
export function describeAddress(
  item: SitemapItem,
  head: PageHead | undefined,
  changed: string | undefined,
): SitemapItem | undefined {
  if (!head || head.noindex || (head.canonical !== undefined && head.canonical !== item.url)) return undefined;
  return {
    url: item.url,
    ...(head.alternates.length > 1 && { links: head.alternates }),
    ...(changed !== undefined && { lastmod: changed }),
  };
}
