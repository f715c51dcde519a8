import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
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
