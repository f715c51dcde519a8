import type { CachedBundle } from './bundle/cached-bundle.ts';
import type { Shard } from './shard.ts';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { Settings } from '#config/index.ts';

/** Receives the bundle in place of the process that built it. */
export interface BundleExport {
  /**
   * Called once the bundle is cached.
   *
   * @param begunMs Start of the write, by the clock of the file system.
   */
  end(begunMs: number): void;
}

/** How builds of this process render pages. */
export interface PrerenderMode {
  /** Leaves every page to Astro's own loop. */
  defaultLoop: boolean;
  /** Restricts rendering to a shard. */
  shard: Shard | undefined;
  /** Number of rendering threads; undefined to choose automatically. */
  threads: number | undefined;
  /** Set if another process can render the pages. */
  bundleExport?: BundleExport | undefined;
  /** Set if an earlier attempt has found that only this process can render the pages. */
  unusable?: CachedBundle['unusable'];
}

let mode: PrerenderMode = { defaultLoop: false, shard: undefined, threads: undefined };

export function setPrerenderMode(chosen: PrerenderMode): void {
  mode = chosen;
}

export function getPrerenderMode(): PrerenderMode {
  return mode;
}

/** Integrations whose work a build without Astro can reproduce. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx']);

/** Image services whose placeholder URLs are known. */
const KNOWN_IMAGE_SERVICES = new Set(['astro/assets/services/sharp', 'astro/assets/services/noop']);

/** Finds an integration or image service that may affect every build; returns its name. */
export function findForeignIntegration({
  integrations,
  image,
}: Pick<AstroConfig, 'integrations' | 'image'>): string | undefined {
  const integration = integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name))?.name;
  const { entrypoint } = image.service;
  return integration ?? (KNOWN_IMAGE_SERVICES.has(entrypoint) ? undefined : entrypoint);
}

/** Returns the receiver of the bundle; undefined if Astro's own process has to render the pages. */
export function chooseBundleExport(
  config: Pick<AstroConfig, 'integrations' | 'image' | 'redirects'>,
): BundleExport | undefined {
  const isAstros = findForeignIntegration(config) !== undefined || Object.keys(config.redirects).length > 0;
  return isAstros ? undefined : getPrerenderMode().bundleExport;
}

/** Explains why Astro's own loop renders the pages, worded as the end of a sentence; undefined if it need not. */
export function defaultLoopReason(
  { distFolder }: Pick<Settings, 'distFolder'>,
  config: Pick<AstroConfig, 'output' | 'outDir' | 'adapter'>,
): string | undefined {
  if (getPrerenderMode().defaultLoop) return 'you asked for it';
  if (config.output !== 'static' || config.adapter) return 'the site is not static';
  if (path.resolve(fileURLToPath(config.outDir)) !== distFolder) return '`outDir` is not dist/';
  return undefined;
}
