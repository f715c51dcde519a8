import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { AstroPrerenderer } from 'astro';
import { renderContext, type RenderContext } from '#catalogue/port/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { getErrorMessage } from '#contracts/index.ts';
import { snapshotLoaders } from '#loaders/index.ts';
import { bundleFolder, captureBundle, readAllCollections } from './bundle/astro-internals.ts';
import { cacheBundle, type CachedBundle } from './bundle/cached-bundle.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { fingerprintProject, hasChangedSince } from './bundle/fingerprint-project.ts';
import { createIncompatibleError } from './bundle/intercept-pages.ts';

/**
 * Caches the bundle that Vite builds for Astro's rendering. Call it before Vite reads or writes anything, so that
 * concurrent changes are detected.
 *
 * @returns A function that caches the bundle, sets it up in place of Astro, and returns its fingerprint. The
 * fingerprint is random if sources have changed since. Throws BUNDLE_INCOMPATIBLE if the bundle is not as expected or
 * can't be cached.
 */
export function bundleCacher(
  settings: Settings,
  languages: readonly string[],
  collector: SourceCollector,
  unusable?: CachedBundle['unusable'],
): (standard: Pick<AstroPrerenderer, 'setup'>) => Promise<string> {
  const startedMs = Date.now();
  const before = fingerprintProject(settings, languages);
  const source = bundleFolder(settings.distFolder);
  // Files of a killed build would be mistaken for this bundle.
  rmSync(source, { recursive: true, force: true });
  return async (standard) => {
    const recorded: NonNullable<RenderContext['seen']> = new Map();
    renderContext.current = { ...renderContext.current, seen: recorded };
    try {
      const state = await captureBundle(source, async () => standard.setup?.());
      await readAllCollections(source, state);
      const loaders = snapshotLoaders(settings.options);
      const collections = new Map([...recorded].filter(([collection]) => !Object.hasOwn(loaders, collection)));
      const sources = collector.collected(collections);
      const isSame =
        fingerprintProject(settings, languages) === before && !hasChangedSince(settings.root, sources, startedMs);
      const fingerprint = isSame ? fingerprintProject(settings, languages, sources) : randomUUID();
      cacheBundle(buildPaths(settings).bundleFolder, source, {
        fingerprint,
        sources,
        root: settings.root,
        state: { ...state, unrecorded: sources.unrecorded },
        collections,
        ownBase: settings.ownBase,
        unusable,
      });
      return fingerprint;
    } catch (error) {
      throw createIncompatibleError(getErrorMessage(error));
    }
  };
}
