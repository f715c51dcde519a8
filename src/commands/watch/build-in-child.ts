import { spawn } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { getErrorMessage } from '#contracts/index.ts';
import type { SyncLogger } from '#sync/sync-options.ts';
import { createRebuilder } from '#render/rebuild-site.ts';

const result = z.union([
  z.object({ digest: z.string(), pages: z.number(), durationMs: z.number() }),
  z.object({ error: z.object({ message: z.string() }) }),
]);

export type BuildOutcome =
  { ok: true; digest: string; pages: number; durationMs: number } | { ok: false; message: string };

/**
 * Builds the site in a child process, because Astro retains memory between builds. Never throws. Aborting the signal
 * ends the process.
 */
export function buildInChild(settings: Settings, signal: AbortSignal): Promise<BuildOutcome> {
  return new Promise((resolve) => {
    const script = path.join(settings.root, 'scripts/build.ts');
    const child = spawn(process.execPath, [script, '--json'], {
      cwd: settings.root,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGTERM',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    // The reason is at the end.
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
    child.on('error', (error) => void (stderr += error.message));
    child.on('close', (code) => resolve(readOutcome(code, stdout, stderr)));
  });
}

function readOutcome(code: number | null, stdout: string, stderr: string): BuildOutcome {
  const reading = result.safeParse(parseJson(stdout.trim().split('\n').at(-1) ?? ''));
  if (reading.success && 'digest' in reading.data && code === 0) return { ok: true, ...reading.data };
  if (reading.success && 'error' in reading.data) return { ok: false, message: reading.data.error.message };
  return { ok: false, message: `The build ended with ${code ?? 'a signal'}. ${stderr.trim()}`.trim() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Creates a builder for repeated builds. Builds in memory if only content has changed, otherwise in a child process,
 * and logs the reason. Never throws.
 */
export function createWarmBuilder(
  logger: Pick<SyncLogger, 'info' | 'warn'>,
): (settings: Settings, signal: AbortSignal) => Promise<BuildOutcome> {
  const rebuild = createRebuilder({
    info: () => undefined,
    debug: () => undefined,
    warn: (message) => logger.warn(message),
  });
  return async (settings, signal) => {
    const started = performance.now();
    try {
      const built = await rebuild(settings);
      if (built) return { ok: true, ...built, durationMs: Math.round(performance.now() - started) };
      logger.info('Building in a separate process: the cached bundle is missing or outdated.');
    } catch (error) {
      const message = getErrorMessage(error);
      logger.warn(`Building again in a separate process after an error: ${message}`);
    }
    return buildInChild(settings, signal);
  };
}
