import { rmSync } from 'node:fs';
import type { AstroPrerenderer } from 'astro';
import { renderContext, type RenderContext } from '#catalogue/port/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { messageOf } from '#contracts/index.ts';
import { bundleFolder, captureBundle, readAllCollections } from './bundle/astro-internals.ts';
import { cacheBundle } from './bundle/cached-bundle.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { incompatibleBundle } from './bundle/incompatible-bundle.ts';
import { sealFingerprint, type SealedFingerprint } from './bundle/seal-fingerprint.ts';
import { ownCollections } from './collections/own-collections.ts';

/**
 * Keeps the bundle that Vite makes for Astro to render pages with. Call it before Vite writes anything.
 * @returns Keeps it, when Astro would set it up, and sets it up. Throws BUNDLE_INCOMPATIBLE when it is another than
 *   expected, or can't be kept.
 */
export function takeBundle(
  settings: Settings,
  languages: readonly string[],
  collector: SourceCollector,
): (standard: Pick<AstroPrerenderer, 'setup'>, given?: RenderContext) => Promise<SealedFingerprint> {
  const seal = sealFingerprint(settings, languages, collector);
  const made = bundleFolder(settings.distFolder);
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(made, { recursive: true, force: true });
  return async (standard, given) => {
    const seen: NonNullable<RenderContext['seen']> = new Map();
    renderContext.current = { ...renderContext.current, ...given, seen };
    try {
      const state = await captureBundle(made, async () => standard.setup?.());
      await readAllCollections(made, state);
      const collections = ownCollections(settings.options, seen);
      const sealed = seal(collections);
      cacheBundle(buildPaths(settings).bundleFolder, made, {
        ...sealed,
        root: settings.root,
        state: { ...state, unrecorded: sealed.sources.unrecorded },
        collections,
        ownBase: settings.ownBase,
      });
      return sealed;
    } catch (error) {
      throw incompatibleBundle(messageOf(error));
    }
  };
}
