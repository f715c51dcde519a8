import { trackedQuery } from '../port/tracked-queries.ts';
import type { Site } from './site.ts';
import { sitePath } from '../addresses/site-paths.ts';
import { journalPath, podcastPath, productsPath } from '../addresses/paths.ts';

export interface NavigationLink {
  name: string;
  href: string;
  /** True for the current page. */
  current: boolean;
  /** True if the current page is a descendant. */
  within: boolean;
}

/** Lists the top-level pages. */
const topPages = trackedQuery('topPages', ['pages'], (site: Pick<Site, 'pages'>, language: string) =>
  site
    .pages(language)
    .filter(({ ancestors }) => ancestors.length === 0)
    .map(({ title, path }) => ({ name: title, href: path })),
);

/** Returns the main navigation: the catalogue, the journal and podcast if there are any, and the top-level pages. */
export function navigation(
  site: Pick<Site, 'pages' | 'hasPosts' | 'hasPodcast'>,
  language: string,
  path: string,
  names: { products: string; journal: string; podcast: string },
): NavigationLink[] {
  const links = [
    { name: names.products, href: productsPath(language), also: sitePath(`/${language}/p/`) },
    ...(site.hasPosts(language) ? [{ name: names.journal, href: journalPath(language) }] : []),
    ...(site.hasPodcast(language) ? [{ name: names.podcast, href: podcastPath(language) }] : []),
    ...topPages(site, language),
  ];
  return links.map(({ name, href, ...rest }) => ({
    name,
    href,
    current: path === href,
    within: path !== href && [href, ...Object.values(rest)].some((start) => path.startsWith(start)),
  }));
}
