import config from 'virtual:sortiment/options';

/** Returns the public URL of the site: `site` of Astro's configuration, else `site.url` of `sortiment.config.ts`. */
export function siteOrigin(site: URL | undefined): URL {
  return site ?? new URL(config.site.url);
}
