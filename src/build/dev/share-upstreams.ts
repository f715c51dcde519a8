import type { Settings } from '#config/index.ts';
import { openUpstreams, type OpenUpstreams, type OpenUpstreamsOptions } from '../upstreams/ensure-snapshot.ts';

const shared = new Map<string, Promise<OpenUpstreams>>();

/**
 * Opens the upstreams of the development server once. Astro restarts the server when its configuration changes, but the
 * embedded origin keeps running: its store can't be open twice.
 */
export async function shareUpstreams(
  settings: Settings,
  log: (line: string) => void,
  options?: OpenUpstreamsOptions,
): Promise<OpenUpstreams> {
  const open = shared.get(settings.originFolder) ?? openUpstreams(settings, log, options);
  shared.set(settings.originFolder, open);
  open.catch(() => shared.delete(settings.originFolder));
  return { ...(await open), close: async () => undefined };
}

/** Call it once, after the development server has stopped. */
export async function closeSharedUpstreams(): Promise<void> {
  const all = [...shared.values()];
  shared.clear();
  await Promise.allSettled(all.map(async (open) => (await open).close()));
}
