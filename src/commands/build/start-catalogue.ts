import { existsSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import type { RunSyncOptions } from '#sync/sync-options.ts';
import { assertPortFree } from '#build/serve/start-site-server.ts';
import { openUpstreams, type OpenUpstreams } from '#build/upstreams/ensure-snapshot.ts';
import { collectGarbage } from '#files/worker-thread.ts';
import { buildInProcess } from './run-in-process.ts';
import { serveSite, type ServedSite } from './serve-site.ts';
import { formatBuildSummary, formatSyncSummary } from './format-summary.ts';
import { syncCatalogue } from './sync-catalogue.ts';

export interface StartCatalogueOptions extends Pick<RunSyncOptions, 'logger' | 'progress'> {
  port: number;
  host: string;
  verbose: boolean;
}

/** Starts everything at once: the embedded origin if needed, a sync, a build, and a server for the result. */
export async function startCatalogue(settings: Settings, options: StartCatalogueOptions): Promise<ServedSite> {
  const { port, host, verbose, logger } = options;
  await assertPortFree(host, port);
  const opened = settings.offline
    ? undefined
    : await openUpstreams(settings, (line) => logger.debug(line), { demo: true, report: (line) => logger.info(line) });
  try {
    if (opened) await syncOrKeep(settings, opened, options);
    logger.info('Building the site …');
    // Releases the memory of the demo and the sync before the server idles.
    collectGarbage();
    const built = await buildInProcess(settings, verbose ? 'all' : 'summary', {
      onProgress: (message) => logger.info(message),
    });
    for (const warning of built.warnings) logger.warn(warning);
    logger.info(formatBuildSummary(built));
    return await serveSite(settings, { port, host, opened, log: (line) => logger.debug(line) });
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

/** Syncs, but continues with the previous snapshot if an upstream is unavailable. */
async function syncOrKeep(
  settings: Settings,
  opened: OpenUpstreams,
  { logger, progress }: StartCatalogueOptions,
): Promise<void> {
  logger.info('Syncing …');
  const isFirst = !existsSync(settings.snapshotPath);
  try {
    const report = await syncCatalogue(settings, { opened, logger, ...(progress && { progress }) });
    logger.info(formatSyncSummary(report));
  } catch (error) {
    if (isFirst || !isSortimentError(error)) throw error;
    logger.warn(`${error.message}\n${error.hint ?? ''}\nContinuing with the content of the last good sync.`);
  }
}
