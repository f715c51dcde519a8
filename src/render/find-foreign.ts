import type { AstroConfig } from 'astro';

/** Integrations whose part a build without Astro can do as well. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx']);

/** Image services of which is known what pages show of an image that wasn't made yet. */
const KNOWN_IMAGE_SERVICES = new Set(['astro/assets/services/sharp', 'astro/assets/services/noop']);

/** What may have its part in every build: the name of an integration or of an image service. */
export function findForeign({ integrations, image }: Pick<AstroConfig, 'integrations' | 'image'>): string | undefined {
  const integration = integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name))?.name;
  const { entrypoint } = image.service;
  return integration ?? (KNOWN_IMAGE_SERVICES.has(entrypoint) ? undefined : entrypoint);
}
