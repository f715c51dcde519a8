import type { SitemapOptions } from '@astrojs/sitemap';
import { describeAddress } from '../site/describe-address.ts';
import { pathnameOf } from '../site/pathname-of.ts';
import type { BuiltPages } from './finish-build.ts';

/** What the sitemap says of each page is what the page says of itself. */
export function sitemapOptions(built: () => BuiltPages): NonNullable<SitemapOptions> {
  return {
    serialize: (item) => {
      const pathname = pathnameOf(item.url);
      return describeAddress(item, built().heads.get(pathname), built().dates.get(pathname));
    },
  };
}
