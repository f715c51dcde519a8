import type { Site } from './load-site.ts';
import { sitePath } from '../addresses/base.ts';
import { journalPath, podcastPath, productsPath } from '../addresses/paths.ts';

export interface NavigationLink {
  name: string;
  href: string;
  /** The page itself. */
  current: boolean;
  /** A page below. */
  within: boolean;
}

/** Main navigation: the catalogue, the journal and the podcast if there are any, and the pages of the top level. */
export function navigation(
  site: Pick<Site, 'pages' | 'posts' | 'podcast'>,
  language: string,
  path: string,
  names: { products: string; journal: string; podcast: string },
): NavigationLink[] {
  const pages = site.pages(language).filter(({ ancestors }) => ancestors.length === 0);
  const links = [
    { name: names.products, href: productsPath(language), also: sitePath(`/${language}/p/`) },
    ...(site.posts(language).length > 0 ? [{ name: names.journal, href: journalPath(language) }] : []),
    ...(site.podcast(language) ? [{ name: names.podcast, href: podcastPath(language) }] : []),
    ...pages.map(({ title, path: href }) => ({ name: title, href })),
  ];
  return links.map(({ name, href, ...rest }) => ({
    name,
    href,
    current: path === href,
    within: path !== href && [href, ...Object.values(rest)].some((start) => path.startsWith(start)),
  }));
}
