import { useBase } from '#catalogue/addresses/base.ts';
import { settingsAt, type Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { stateOf } from './read-state.ts';
import { buildPaths } from '#config/build-paths.ts';
import { keepFingerprint } from './bundle/fingerprint-project.ts';
import { bundleReader } from './bundle/cached-bundle.ts';
import { lockBuild } from './lock-build.ts';
import { rebuildSite, type RebuildOptions, type WarmBuild } from './rebuild-site.ts';

/**
 * Builds with the cached bundle, for a process that does so again and again: what it has loaded stays in memory, and of
 * the snapshot it only looks at what has changed since.
 * @returns Undefined when that bundle is missing, unusable or not of the project as it is. Throws as `rebuildSite` does.
 */
export function createRebuilder(
  logger: RebuildOptions['logger'],
): (settings: Settings) => Promise<{ digest: string; pages: number } | undefined> {
  let warm: { fingerprint: string; state: WarmBuild } | undefined;
  // Code of this process that has changed since can't be loaded again.
  let loaded: string | undefined;
  const fingerprintAgain = keepFingerprint();
  const readBundleAgain = bundleReader();
  return async (given) => {
    const bundle = readBundleAgain(buildPaths(given).bundleFolder);
    const settings = settingsAt(given, bundle?.ownBase);
    useBase(settings.base);
    const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
    try {
      const { digest, languages } = stateOf(snapshot, settings);
      const fingerprint = fingerprintAgain(settings, languages, bundle?.sources);
      loaded ??= fingerprint;
      if (loaded !== fingerprint || bundle?.fingerprint !== fingerprint || bundle.unusable || digest === undefined)
        return undefined;
      const known = warm?.fingerprint === fingerprint ? warm.state : undefined;
      warm = undefined;
      const choices = { bundle, snapshot, logger, threads: undefined, warm: known };
      const lock = lockBuild(settings);
      const built = await rebuildSite(settings, choices).finally(lock.release);
      warm = { fingerprint, state: built.warm };
      return { digest, pages: built.pages };
    } finally {
      snapshot.close();
    }
  };
}
