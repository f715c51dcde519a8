import config from '#sortiment.config.ts';

/** The site's public address: `site` of Astro's configuration, or else that of ours. */
export function originOf(site: URL | undefined): URL {
  return site ?? new URL(config.site.url);
}
