import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BuildRequest } from '#build/astro-build.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import type { BrokenDocument } from '#snapshot/index.ts';

/** Output of a build: everything Astro logs, a summary, or errors only. */
export type BuildOutput = 'all' | 'summary' | 'errors';

/**
 * `cached bundle`: rendered with the bundle of an earlier build. `vite`: with a new one. `default loop`: by Astro alone.
 */
export type BuildMode = 'cached bundle' | 'vite' | 'default loop' | 'merge';

export interface BuiltSite {
  way: BuildMode;
  /** Reason for the way, as the end of a sentence. */
  why: string;
  /** Warnings that Astro's logger has not printed. */
  warnings: string[];
  /** Documents of products that were unavailable at the last sync. */
  brokenDocuments: BrokenDocument[];
  /** Digest of the snapshot that was built. */
  digest: string;
  pages: number;
  durationMs: number;
  distFolder: string;
}

type AstroOrder = Pick<BuildRequest, 'loopReason' | 'emptiesDist' | 'shard'> & { output: BuildOutput };

/** Jobs of the child process. */
export type BuildJob =
  | { job: 'site'; settings: Settings; output: BuildOutput }
  /** @property lockFile Locked during the build. */
  | (AstroOrder & { job: 'astro'; root: string; lockFile: string });

export type BuildMessage =
  { progress: string } | { result: unknown } | { error: { code: string; message: string; hint?: string | undefined } };

interface ProcessOptions {
  onProgress?: (message: string) => void;
  /** Ends the process when aborted. */
  signal?: AbortSignal;
  execArgv?: string[];
}

/**
 * Builds the site in a child process, for long-running parents.
 * @throws SortimentError The errors of `buildSite`; an AbortError if the signal is aborted.
 */
export function buildInProcess(
  settings: Settings,
  output: BuildOutput,
  options: ProcessOptions = {},
): Promise<BuiltSite> {
  return runInProcess({ job: 'site', settings, output }, options) as Promise<BuiltSite>;
}

/** Size of the young generation. Saves a tenth of Vite's memory without taking longer. */
const SEMI_SPACE_MB = 8;

/**
 * Runs Astro's build.
 * @returns True if only the bundle was built; false if the site was built.
 * @throws SortimentError The error that ended the build.
 */
export function buildWithAstro(settings: Settings, order: AstroOrder): Promise<boolean> {
  const { astroLockFile: lockFile } = buildPaths(settings);
  const execArgv = [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MB}`];
  return runInProcess({ ...order, job: 'astro', root: settings.root, lockFile }, { execArgv }) as Promise<boolean>;
}

/**
 * Runs a job in a child process, whose memory is released when it ends. The child inherits the terminal and ends with
 * its parent.
 */
async function runInProcess(job: BuildJob, { onProgress, ...options }: ProcessOptions): Promise<unknown> {
  const child = fork(new URL('build-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...options,
  });
  let ended: Exclude<BuildMessage, { progress: string }> | undefined;
  child.on('message', (message: BuildMessage) => {
    if ('progress' in message) return onProgress?.(message.progress);
    ended = message;
    // V8 occasionally hangs on its own threads if the process is left to exit.
    child.kill('SIGKILL');
  });
  // Sent as a message, because any user of the machine can read arguments and the settings may contain tokens.
  child.send(job, () => undefined);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (!ended) {
    throw new SortimentError('BUILD_FAILED', `The build process was ended by ${signal ?? `code ${code}`}.`, {
      hint: 'Check that the machine has enough memory: a build takes about 700 MB.',
    });
  }
  if ('error' in ended) throw new SortimentError(ended.error.code, ended.error.message, ended.error);
  return ended.result;
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
