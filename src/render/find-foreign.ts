import type { AstroConfig } from 'astro';

/** Integrations whose part a build without Astro can do as well. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx']);

/** The name of an integration that may have its part in every build. */
export function findForeign({ integrations }: Pick<AstroConfig, 'integrations'>): string | undefined {
  return integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name))?.name;
}
