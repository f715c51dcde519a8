import { setBasePath } from '#catalogue/addresses/base.ts';
import { withBasePath, type Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { getSnapshotState } from './read-state.ts';
import { buildPaths } from '#config/build-paths.ts';
import { createFingerprintCache } from './bundle/fingerprint-project.ts';
import { bundleReader } from './bundle/cached-bundle.ts';
import { lockBuild } from './lock-build.ts';
import { rebuildSite, type RebuildOptions, type WarmBuild } from './rebuild-site.ts';

/**
 * Returns a function that builds with the cached bundle in a long-running process. Loaded modules stay in memory, and
 * only changes of the snapshot are read.
 *
 * @returns Undefined if the bundle is missing, unusable or outdated. Throws like `rebuildSite`.
 */
export function createRebuilder(
  logger: RebuildOptions['logger'],
): (settings: Settings) => Promise<{ digest: string; pages: number } | undefined> {
  let warm: { fingerprint: string; state: WarmBuild } | undefined;
  // Changed code of this process can't be reloaded.
  let loaded: string | undefined;
  const fingerprintCached = createFingerprintCache();
  const readBundleCached = bundleReader();
  return async (original) => {
    const bundle = readBundleCached(buildPaths(original).bundleFolder);
    const settings = withBasePath(original, bundle?.ownBase);
    setBasePath(settings.base);
    const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
    try {
      const { digest, languages } = getSnapshotState(snapshot, settings);
      const fingerprint = fingerprintCached(settings, languages, bundle?.sources);
      loaded ??= fingerprint;
      if (loaded !== fingerprint || bundle?.fingerprint !== fingerprint || bundle.unusable || digest === undefined)
        return undefined;
      const state = warm?.fingerprint === fingerprint ? warm.state : undefined;
      warm = undefined;
      const choices = { bundle, snapshot, logger, threads: undefined, warm: state };
      const lock = lockBuild(settings);
      const built = await rebuildSite(settings, choices).finally(lock.release);
      warm = { fingerprint, state: built.warm };
      return { digest, pages: built.pages };
    } finally {
      snapshot.close();
    }
  };
}
