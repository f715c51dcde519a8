import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sitemap from '@astrojs/sitemap';
import type { Settings } from '../../config/index.ts';
import type { sitemapOptions } from './sitemap-options.ts';

/**
 * What the sitemap's integration does at the end of a build with Astro.
 * @param names Paths of pages without the slash at their beginning.
 */
export async function writeSitemap(
  { siteUrl }: Settings,
  folder: string,
  names: readonly string[],
  options: ReturnType<typeof sitemapOptions>,
): Promise<void> {
  const { hooks } = sitemap(options);
  const config = { site: siteUrl, base: '/', trailingSlash: 'always', build: { format: 'directory' } };
  await call(hooks['astro:config:done'], { config });
  await call(hooks['astro:routes:resolved'], { routes: [] });
  await call(hooks['astro:build:done'], {
    dir: pathToFileURL(path.join(folder, path.sep)),
    pages: names.map((pathname) => ({ pathname })),
    logger: { info: () => undefined, warn: () => undefined, error: fail },
  });
}

function call(hook: unknown, argument: object): unknown {
  return typeof hook === 'function' ? hook(argument) : undefined;
}

function fail(message: string): never {
  throw new Error(message);
}
