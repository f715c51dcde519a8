import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BuildRequest } from '#build/astro-build.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
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

/**
 * Runs Astro's build.
 * @returns True if only the bundle was built; false if the site was built.
 * @throws SortimentError The error that ended the build.
 */
export function buildWithAstro(settings: Settings, order: AstroOrder): Promise<boolean> {
  const { astroLockFile: lockFile } = buildPaths(settings);
  return runInProcess({ ...order, job: 'astro', root: settings.root, lockFile }) as Promise<boolean>;
}

/** Size of the young generation. Saves a tenth of Vite's memory, and a third after an edited article, at no cost. */
const SEMI_SPACE_MB = 8;

/**
 * Runs a job in a child process, whose memory is released when it ends. The child inherits the terminal and ends with
 * its parent.
 */
async function runInProcess(job: BuildJob, { onProgress, ...options }: ProcessOptions = {}): Promise<unknown> {
  const child = fork(new URL('build-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [`--max-semi-space-size=${SEMI_SPACE_MB}`, ...process.execArgv],
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
