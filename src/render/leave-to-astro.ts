import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { Settings } from '#config/index.ts';
import { prerenderMode, type BundleExport } from './prerender-mode.ts';

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

/** Whom to hand the bundle over to; undefined where Astro's own process has to render the pages. */
export function chooseBundleExport(
  config: Pick<AstroConfig, 'integrations' | 'image' | 'redirects'>,
): BundleExport | undefined {
  const isAstros = findForeign(config) !== undefined || Object.keys(config.redirects).length > 0;
  return isAstros ? undefined : prerenderMode().bundleExport;
}

/** Why pages are left to Astro's own loop, as the end of a sentence; undefined where that need not be. */
export function whyDefaultLoop(
  { distFolder }: Pick<Settings, 'distFolder'>,
  config: Pick<AstroConfig, 'output' | 'outDir' | 'adapter'>,
): string | undefined {
  if (prerenderMode().defaultLoop) return 'you asked for it';
  if (config.output !== 'static' || config.adapter) return 'the site is not static';
  if (path.resolve(fileURLToPath(config.outDir)) !== distFolder) return '`outDir` is not dist/';
  return undefined;
}
