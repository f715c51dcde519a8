import type { Settings } from '../../config/index.ts';
import { createRebuilder } from '../prerender/create-rebuilder.ts';
import { buildInChild, type BuildOutcome } from './build-in-child.ts';

/**
 * Builds again and again: what only needs other content with what the last build has left in memory, all else in a
 * process of its own. Never throws.
 */
export function createWarmBuilder(): (settings: Settings, signal: AbortSignal) => Promise<BuildOutcome> {
  const rebuild = createRebuilder();
  return async (settings, signal) => {
    const started = performance.now();
    try {
      const built = await rebuild(settings);
      if (built) return { ok: true, ...built, durationMs: Math.round(performance.now() - started) };
    } catch {
      // Whatever it is, the build by itself says it better, or gets over it.
    }
    return buildInChild(settings, signal);
  };
}
