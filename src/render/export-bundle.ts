import type { AstroPrerenderer } from 'astro';
import type { Settings } from '#config/index.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { initManifest, saveSiteFiles } from './adopt-bundle.ts';
import type { AstroBuild } from './default-loop.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import type { BundleExport } from './prerender-mode.ts';
import { bundleCacher } from './bundle-cacher.ts';

/**
 * Creates a build that renders nothing: it caches the bundle for another process, which doesn't need Vite's memory.
 * Call it before Vite writes anything.
 */
export function exportBundle(
  settings: Settings,
  languages: readonly string[],
  { bundleExport, sources }: { bundleExport: BundleExport; sources: SourceCollector },
): AstroBuild {
  const cacheBundle = bundleCacher(settings, languages, sources);
  let fingerprint = '';
  const { begunMs } = openPageWriter(settings.distFolder);
  return {
    start: (standard): AstroPrerenderer => ({
      ...standard,
      name: 'sortiment:bundle',
      setup: async () => {
        fingerprint = await cacheBundle(standard);
      },
      getStaticPaths: () => Promise.resolve([]),
    }),
    finish: async () => {
      saveSiteFiles(settings, begunMs);
      await initManifest(settings, fingerprint, begunMs);
      bundleExport.end(begunMs);
    },
  };
}
