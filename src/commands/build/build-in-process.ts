import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '#config/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import type { BuildOutput } from './build-with-astro.ts';
import type { BuiltSite } from './build-site.ts';

export interface BuildRequest {
  settings: Settings;
  output: BuildOutput;
}

export type BuildMessage =
  { progress: string } | { built: BuiltSite } | { error: { code: string; message: string; hint?: string | undefined } };

/**
 * Builds the site in a child process for a long-running parent, because hundreds of megabytes would rarely be released
 * otherwise. The child ends with its parent, or when the signal is aborted.
 *
 * @throws SortimentError The errors of `buildSite`; an AbortError if the signal is aborted.
 */
export async function buildInProcess(
  settings: Settings,
  output: BuildOutput,
  { onProgress, signal }: { onProgress?: (message: string) => void; signal?: AbortSignal } = {},
): Promise<BuiltSite> {
  const child = fork(new URL('build-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(signal && { signal }),
  });
  let built: BuiltSite | undefined;
  let failure: SortimentError | undefined;
  child.on('message', (message: BuildMessage) => {
    if ('progress' in message) return onProgress?.(message.progress);
    if ('built' in message) ({ built } = message);
    else failure = new SortimentError(message.error.code, message.error.message, message.error);
    child.kill('SIGKILL');
  });
  // Sent as a message, because any user of the machine can read arguments and the settings may contain tokens.
  child.send({ settings, output } satisfies BuildRequest, () => undefined);
  const [code, ended] = (await once(child, 'close')) as [number | null, string | null];
  if (built) return built;
  throw (
    failure ??
    new SortimentError('BUILD_FAILED', `The build process was ended by ${ended ?? `code ${code}`}.`, {
      hint: 'Check that the machine has enough memory: a build takes about 700 MB.',
    })
  );
}

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
    const { buildSite } = await import('./build-site.ts');
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
