import type { Settings } from '#config/index.ts';
import { openUpstreams, type OpenUpstreams, type OpenUpstreamsOptions } from '../upstreams/index.ts';

const shared = new Map<string, Promise<OpenUpstreams>>();

/**
 * The upstreams of the development server. Astro restarts it whenever its configuration changes; the embedded
 * origin goes on meanwhile, since its store can't be open twice.
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

/** Call once, when the development server has ended for good. */
export async function closeSharedUpstreams(): Promise<void> {
  const all = [...shared.values()];
  shared.clear();
  await Promise.allSettled(all.map(async (open) => (await open).close()));
}
