import type { AstroConfig } from 'astro';
import { findForeign } from './find-foreign.ts';
import { prerenderMode, type BundleExport } from './prerender-mode.ts';

/** Whom to hand the bundle over to; undefined where Astro's own process has to render the pages. */
export function chooseBundleExport(
  config: Pick<AstroConfig, 'integrations' | 'image' | 'redirects'>,
): BundleExport | undefined {
  const isAstros = findForeign(config) !== undefined || Object.keys(config.redirects).length > 0;
  return isAstros ? undefined : prerenderMode().bundleExport;
}
