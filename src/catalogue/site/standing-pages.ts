import type { Site } from './load-site.ts';
import { isReservedPath, WELCOME_SLUG } from '../addresses/paths.ts';

/**
 * Slug paths of all pages in a language: those written in the project and those of the publishing site. Where both
 * have one, the project's stands.
 */
export function standingPages(site: Pick<Site, 'pages' | 'localPages'>, language: string): string[] {
  const local = site
    .localPages(language)
    .map(({ slug }) => slug)
    .filter((slug) => slug !== WELCOME_SLUG && !isReservedPath(slug));
  const published = site.pages(language).map(({ slugPath }) => slugPath);
  return [...new Set([...local, ...published])];
}
