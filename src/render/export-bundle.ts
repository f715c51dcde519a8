import { beginManifest, keepSiteFiles } from './adopt-bundle.ts';
import { messageOf } from '#contracts/index.ts';
import { rmSync } from 'node:fs';
import type { AstroPrerenderer } from 'astro';
import type { Settings } from '#config/index.ts';
import { renderContext, type RenderContext } from '#catalogue/port/render-context.ts';
import { bundleFolder, captureBundle, readAllCollections } from './bundle/astro-internals.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { sealFingerprint } from './bundle/seal-fingerprint.ts';
import { cacheBundle } from './bundle/cached-bundle.ts';
import { ownCollections } from './collections/own-collections.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { NO_BATCHES } from './batches.ts';
import type { BulkBuild } from './prerender-in-bulk.ts';
import type { BundleExport } from './prerender-mode.ts';
import { incompatibleBundle } from './bundle/incompatible-bundle.ts';

/**
 * Begins a build that renders nothing: its bundle is kept for another process, which needs none of the memory that Vite
 * has taken. Call it before Vite writes anything.
 */
export function exportBundle(
  settings: Settings,
  languages: readonly string[],
  { bundleExport, sources: collector }: { bundleExport: BundleExport; sources: SourceCollector },
): BulkBuild {
  const { distFolder } = settings;
  const places = buildPaths(settings);
  const seal = sealFingerprint(settings, languages, collector);
  let fingerprint = '';
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(bundleFolder(distFolder), { recursive: true, force: true });
  const { begunMs } = openPageWriter(distFolder);
  const seen: NonNullable<RenderContext['seen']> = new Map();
  return {
    start: (standard): AstroPrerenderer => ({
      ...standard,
      name: 'sortiment:bundle',
      setup: async () => {
        renderContext.current = { ...renderContext.current, seen, scope: NO_BATCHES };
        try {
          const state = await captureBundle(bundleFolder(distFolder), async () => standard.setup?.());
          await readAllCollections(bundleFolder(distFolder), state);
          const collections = ownCollections(settings.options, seen);
          const sealed = seal(collections);
          ({ fingerprint } = sealed);
          cacheBundle(places.bundleFolder, bundleFolder(distFolder), {
            ...sealed,
            root: settings.root,
            state: { ...state, unrecorded: sealed.sources.unrecorded },
            collections,
            ownBase: settings.ownBase,
          });
        } catch (error) {
          throw incompatibleBundle(messageOf(error));
        }
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
