import type { Settings } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger, SyncReport } from '#sync/index.ts';
import { openUpstreams } from './open-upstreams.ts';

/** Codes of a snapshot that a sync rebuilds. */
const MADE_ANEW = ['SNAPSHOT_MISSING', 'SNAPSHOT_OUTDATED'];

/**
 * Makes sure that there is a snapshot to read: an existing one is left alone, however old it is.
 * @param open How to come by the upstreams; what it gives is closed afterwards.
 * @returns The report of the sync, if one was needed.
 * @throws SortimentError SNAPSHOT_MISSING when there is none and the network may not be touched.
 */
export async function ensureSnapshot(
  settings: Settings,
  logger: SyncLogger,
  open: typeof openUpstreams = openUpstreams,
): Promise<SyncReport | undefined> {
  const missing = whyNotReadable(settings.snapshotPath);
  if (!missing) return undefined;
  if (settings.offline) {
    throw new SortimentError('SNAPSHOT_MISSING', `${missing.message} SORTIMENT_OFFLINE prevents a sync.`, {
      hint: 'Run `npm run sync` once with the network, or copy a snapshot from another machine.',
    });
  }
  logger.info('No snapshot yet: syncing first.');
  // Loaded only where it is needed, like the origin.
  const { runSync } = await import('#sync/index.ts');
  const opened = await open(settings, (line) => logger.debug(line), { report: (line) => logger.info(line) });
  try {
    return await runSync(settings, { upstreams: opened.upstreams, logger });
  } finally {
    await opened.close();
  }
}

function whyNotReadable(snapshotPath: string): SortimentError | undefined {
  try {
    openSnapshot(snapshotPath, { readOnly: true }).close();
    return undefined;
  } catch (error) {
    if (isSortimentError(error) && MADE_ANEW.includes(error.code)) return error;
    throw error;
  }
}
