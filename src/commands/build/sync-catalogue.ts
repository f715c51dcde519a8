import type { Settings } from '#config/index.ts';
import { runSync } from '#sync/run-sync.ts';
import type { RunSyncOptions } from '#sync/sync-options.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { inspectSite, type DeadLink } from '../checks/inspect-site.ts';
import { pageLanguages } from '../checks/check-article-heads.ts';
import { openUpstreams, type OpenUpstreams } from '#build/upstreams/ensure-snapshot.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '#files/replace-file.ts';

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

interface DeadLinkReports {
  /** Selects the links that no earlier run has reported. */
  selectNew: (found: DeadLink[]) => DeadLink[];
  /** Stores the links of this run as reported. Call it after the report is written. */
  save(): Promise<void>;
}

const file = z.array(z.string());

/**
 * Reports each dead link of a local page once, until it is corrected and breaks again. A project may have pages whose
 * products are still to come; the doctor command always lists all of them.
 */
async function openDeadLinkReports({ home }: Pick<Settings, 'home'>): Promise<DeadLinkReports> {
  const filePath = path.join(home, 'dead-links.json');
  const text = await readFile(filePath, 'utf8').catch(() => '[]');
  const known = new Set(parse(text));
  let current: string[] | undefined;
  return {
    selectNew: (found) => {
      current = [...new Set(found.map(keyOf))].toSorted();
      return found.filter((link) => !known.has(keyOf(link)));
    },
    save: async () => {
      if (!current || (current.length === known.size && current.every((key) => known.has(key)))) return;
      // On failure they are merely reported again.
      await replaceFile(filePath, `${JSON.stringify(current)}\n`).catch(() => undefined);
    },
  };
}

function parse(text: string): string[] {
  try {
    return file.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Excludes the line number, which changes with every edit above it. */
function keyOf({ place, link }: DeadLink): string {
  return `${place.replace(/:\d+$/, '')} ${link}`;
}
