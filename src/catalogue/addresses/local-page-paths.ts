import type { Site } from '../site/site.ts';

/** Language -> path of the local page with this slug. */
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
