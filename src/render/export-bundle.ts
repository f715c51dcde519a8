import { messageOf } from '#contracts/index.ts';
import { rmSync } from 'node:fs';
import type { AstroPrerenderer } from 'astro';
import type { Settings } from '#config/index.ts';
import { BUILD_HOST, type BuildHost } from '#catalogue/port/build-host.ts';
import { bundleFolder, captureBundle } from './bundle/astro-internals.ts';
import { buildPlaces } from '#config/build-paths.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { sealFingerprint } from './bundle/seal-fingerprint.ts';
import { newFiles, surveyFiles } from './finish-build.ts';
import { keepBundle } from './bundle/cached-bundle.ts';
import { ownCollections } from './collections/own-collections.ts';
import { isOf, openLedger } from './manifest/build-manifest.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { NO_PARCELS } from './batches.ts';
import type { BulkBuild } from './prerender-in-bulk.ts';
import type { HandOver } from './prerender-mode.ts';
import { unfitBundle } from './bundle/incompatible-bundle.ts';

/**
 * Begins a build that renders nothing: its bundle is kept for another process, which needs none of the memory that Vite
 * has taken. Call it before Vite writes anything.
 */
export function handOverBundle(
  settings: Settings,
  languages: readonly string[],
  { handOver, sources: collector }: { handOver: HandOver; sources: SourceCollector },
): BulkBuild {
  const { distFolder } = settings;
  const places = buildPlaces(settings);
  const seal = sealFingerprint(settings, languages, collector);
  let fingerprint = '';
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(bundleFolder(distFolder), { recursive: true, force: true });
  const { begunMs } = openPageWriter(distFolder);
  const seen: NonNullable<BuildHost['seen']> = new Map();
  return {
    start: (standard): AstroPrerenderer => ({
      ...standard,
      name: 'sortiment:bundle',
      setup: async () => {
        globalThis[BUILD_HOST] = { ...globalThis[BUILD_HOST], seen, scope: NO_PARCELS };
        const state = await captureBundle(bundleFolder(distFolder), async () => standard.setup?.());
        // Who looks for pages reads all collections that aren't the snapshot's. What goes wrong shows where they are rendered.
        await standard.getStaticPaths().catch(() => undefined);
        try {
          const collections = ownCollections(settings.options, seen);
          const sealed = seal(collections);
          ({ fingerprint } = sealed);
          keepBundle(places.bundleFolder, bundleFolder(distFolder), {
            ...sealed,
            root: settings.root,
            state,
            collections,
            ownBase: settings.ownBase,
          });
        } catch (error) {
          throw unfitBundle(messageOf(error));
        }
      },
      getStaticPaths: () => Promise.resolve([]),
    }),
    finish: async () => {
      const others = await surveyFiles(distFolder, newFiles(settings, begunMs));
      const ledger = openLedger(places.ledgerFile);
      const state = { fingerprint, distFolder, complete: false, others };
      ledger.begin(state, isOf(ledger.state(), state) ? [] : 'all');
      ledger.close();
      handOver.end(begunMs);
    },
  };
}
