import { getErrorMessage } from '#contracts/index.ts';
import type { Settings } from '#config/index.ts';
import type { SyncLogger } from '#sync/sync-options.ts';
import { createRebuilder } from '#render/create-rebuilder.ts';
import { buildInChild, type BuildOutcome } from './build-in-child.ts';

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
