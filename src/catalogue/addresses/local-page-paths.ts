import type { Site } from '../site/load-site.ts';

/** Returns the paths of the local page with this slug, by language. */
export function localPagePaths(site: Pick<Site, 'localPages' | 'languages'>, slug: string): Record<string, string> {
  return Object.fromEntries(
    site.languages.flatMap(({ code }) =>
      site
        .localPages(code)
        .filter((page) => page.slug === slug)
        .map(({ path }) => [code, path]),
    ),
  );
}
