import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { BuildRequest } from '#build/astro-build.ts';

export interface AstroBuildOrder extends Pick<BuildRequest, 'loopReason' | 'emptiesDist' | 'shard'> {
  root: string;
  output: BuildOutput;
  /** Locked during the build. */
  lockFile: string;
}

const astroAnswer = z.union([
  /** True if it has built only the bundle. */
  z.strictObject({ isBundle: z.boolean() }),
  z.strictObject({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }) }),
]);
export type AstroBuildResult = z.output<typeof astroAnswer>;

/** Size of the young generation. Saves a tenth of Vite's memory without taking longer. */
const SEMI_SPACE_MB = 8;

/**
 * Runs Astro's build in a child process, whose memory is released when it ends. The child inherits the terminal and
 * ends with its parent.
 *
 * @returns True if only the bundle was built; false if the site was built.
 * @throws SortimentError The error that ended the build.
 */
export async function buildWithAstro(
  settings: Settings,
  order: Omit<AstroBuildOrder, 'root' | 'lockFile'>,
): Promise<boolean> {
  const fullOrder: AstroBuildOrder = { ...order, root: settings.root, lockFile: buildPaths(settings).astroLockFile };
  const child = fork(new URL('astro-process.ts', import.meta.url), [JSON.stringify(fullOrder)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MB}`],
  });
  let result: AstroBuildResult | undefined;
  child.on('message', (message) => {
    result = astroAnswer.parse(message);
    // The process has finished. V8 occasionally hangs on its own threads if it is left to exit.
    child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (!result) {
    throw new SortimentError('BUILD_FAILED', `Astro's process was ended by ${signal ?? `code ${code}`}.`, {
      hint: 'Check that the machine has enough memory: Vite takes about 700 MB.',
    });
  }
  if ('error' in result) throw new SortimentError(result.error.code, result.error.message, result.error);
  return result.isBundle;
}

/** Output of a build: everything Astro logs, a summary, or errors only. */
export type BuildOutput = 'all' | 'summary' | 'errors';
