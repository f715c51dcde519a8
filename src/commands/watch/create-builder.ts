import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { buildInProcess, type BuildOutput, type BuiltSite } from '../build/run-in-process.ts';

const LONG_WAY = 'BUILD_NEEDS_VITE';

/**
 * Creates a function that builds again and again. It renders in this process if the cached bundle is still the one of
 * its first build: loading all modules in a child process would take three times as long as rendering a changed product.
 */
export function createBuilder(settings: Settings, output: BuildOutput): (signal: AbortSignal) => Promise<BuiltSite> {
  /** Fingerprint of the first build: Node can't load another version of its modules. */
  let loaded: string | undefined;
  let canReload = true;
  const buildHere = async (): Promise<BuiltSite | undefined> => {
    const { buildSite } = await import('../build/build-site.ts');
    const onLongWay = (why: string, isLoaded: boolean): never => {
      canReload = !isLoaded;
      throw new SortimentError(LONG_WAY, why);
    };
    try {
      return await buildSite(settings, output, { onLongWay });
    } catch (error) {
      if (isSortimentError(error) && error.code === LONG_WAY) return undefined;
      throw error;
    }
  };
  return async (signal) => {
    const { readBundle } = await import('#build/bundle/cached-bundle.ts');
    const fingerprint = () => readBundle(buildPaths(settings).bundleFolder)?.fingerprint;
    const current = fingerprint();
    const isLoadable = canReload && current !== undefined && (loaded ?? current) === current;
    const built = (isLoadable ? await buildHere() : undefined) ?? (await buildInProcess(settings, output, { signal }));
    loaded ??= fingerprint();
    return built;
  };
}
