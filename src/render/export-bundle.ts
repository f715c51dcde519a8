import type { AstroPrerenderer } from 'astro';
import type { Settings } from '#config/index.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { beginManifest, keepSiteFiles } from './adopt-bundle.ts';
import type { AstroBuild } from './astros-loop.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import type { BundleExport } from './prerender-mode.ts';
import { takeBundle } from './take-bundle.ts';

/**
 * Creates a build that renders nothing: it caches the bundle for another process, which doesn't need Vite's memory.
 * Call it before Vite writes anything.
 */
export function exportBundle(
  settings: Settings,
  languages: readonly string[],
  { bundleExport, sources }: { bundleExport: BundleExport; sources: SourceCollector },
): AstroBuild {
  const cacheBundle = takeBundle(settings, languages, sources);
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
      keepSiteFiles(settings, begunMs);
      await beginManifest(settings, fingerprint, begunMs);
      bundleExport.end(begunMs);
    },
  };
}
