import type { Settings } from '#config/index.ts';
import { runSync } from '#sync/run-sync.ts';
import type { RunSyncOptions } from '#sync/sync-options.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { inspectSite } from '../checks/inspect-site.ts';
import { pageLanguages } from '../checks/check-visibility.ts';
import { openDeadLinkReports } from '../checks/dead-link-reports.ts';
import { openUpstreams, type OpenUpstreams } from '#integration/upstreams/ensure-snapshot.ts';

export interface SyncCatalogueOptions extends Omit<RunSyncOptions, 'upstreams'> {
  /** Upstreams that are already open, and stay open. */
  opened?: OpenUpstreams;
}

/** Runs a sync with the configured upstreams, or starts the embedded origin for it. */
export async function syncCatalogue(settings: Settings, options: SyncCatalogueOptions): Promise<SyncReport> {
  const { opened, ...rest } = options;
  const { logger } = rest;
  const report = (line: string): void => logger.info(line);
  const used = opened ?? (await openUpstreams(settings, (line) => logger.debug(line), { report }));
  try {
    const links = await openDeadLinkReports(settings);
    const inspect = (snapshot: SnapshotReader) => inspectSite(settings, snapshot, links.selectNew);
    const languagesOf = (snapshot: SnapshotReader) => pageLanguages(settings, snapshot);
    const result = await runSync(settings, { inspect, languagesOf, ...rest, upstreams: used.upstreams });
    await links.save();
    return result;
  } finally {
    if (!opened) await used.close();
  }
}
