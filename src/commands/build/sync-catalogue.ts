import type { Settings } from '#config/index.ts';
import { getErrorMessage, SortimentError } from '#contracts/index.ts';
import { runSync } from '#sync/run-sync.ts';
import type { RunSyncOptions } from '#sync/sync-options.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { readDigest, type SnapshotReader } from '#snapshot/index.ts';
import { inspectSite, type DeadLink } from '../checks/inspect-site.ts';
import { pageLanguages } from '../checks/check-article-heads.ts';
import { buildFile } from './build-file.ts';
import { openUpstreams, type OpenUpstreams } from '#build/upstreams/ensure-snapshot.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '#files/replace-file.ts';

/**
 * Runs a sync with the configured upstreams, or starts the embedded origin for it. Upstreams that are already `opened`
 * stay open.
 */
export async function syncCatalogue(
  settings: Settings,
  { opened, ...options }: Omit<RunSyncOptions, 'upstreams'> & { opened?: OpenUpstreams },
): Promise<SyncReport> {
  const { logger } = options;
  const report = (line: string): void => logger.info(line);
  const used = opened ?? (await openUpstreams(settings, (line) => logger.debug(line), { report }));
  try {
    const links = await openDeadLinkReports(settings);
    const inspect = (snapshot: SnapshotReader) => inspectSite(settings, snapshot, links.selectNew);
    const languagesOf = (snapshot: SnapshotReader) => pageLanguages(settings, snapshot);
    const result = await runSync(settings, { inspect, languagesOf, ...options, upstreams: used.upstreams });
    await links.save();
    return result;
  } finally {
    if (!opened) await used.close();
  }
}

/**
 * Reports each dead link of a local page once, until it is corrected and breaks again. A project may have pages whose
 * products are still to come; the doctor command always lists all of them.
 */
async function openDeadLinkReports({ home }: Pick<Settings, 'home'>) {
  const filePath = path.join(home, 'dead-links.json');
  const known = new Set(
    await readFile(filePath, 'utf8')
      .then(parse)
      .catch(() => []),
  );
  let current: string[] | undefined;
  return {
    /** Selects the links that no earlier run has reported. */
    selectNew: (found: DeadLink[]): DeadLink[] => {
      current = [...new Set(found.map(keyOf))].toSorted();
      return found.filter((link) => !known.has(keyOf(link)));
    },
    /** Stores the links of this run as reported. Call it after the report is written. */
    save: async (): Promise<void> => {
      if (!current || (current.length === known.size && current.every((key) => known.has(key)))) return;
      // On failure they are merely reported again.
      await replaceFile(filePath, `${JSON.stringify(current)}\n`).catch(() => undefined);
    },
  };
}

const parse = (text: string): string[] => z.array(z.string()).parse(JSON.parse(text));

/** Excludes the line number, which changes with every edit above it. */
function keyOf({ place, link }: DeadLink): string {
  return `${place.replace(/:\d+$/, '')} ${link}`;
}

const TIMEOUT_MS = 10_000;

/**
 * Protects the archive of a published site. A sync without the earlier snapshot would drop the pages of discontinued
 * products, their documents, and undelivered announcements.
 *
 * @throws SortimentError SNAPSHOT_LOST if there is no snapshot although a site at SITE_URL exists, or can't be ruled
 * out.
 */
export async function requireSnapshot({ home, siteUrl, snapshotPath }: Settings): Promise<void> {
  if (readDigest(snapshotPath) !== undefined) return;
  const published = await findPublished(`${siteUrl}/build.json`);
  if (published === undefined) return;
  throw new SortimentError(
    'SNAPSHOT_LOST',
    `There is no snapshot in ${home}, but ${siteUrl} ${published}. ` +
      'Publishing again would drop its discontinued products, earlier documents and undelivered announcements.',
    {
      hint:
        `Restore ${home} from a cache or a backup. To discard them, run the sync without --require-snapshot; ` +
        'in GitHub Actions, start the workflow by hand with "from-scratch".',
    },
  );
}

/** Returns the reason why a site may be published; undefined if its host responds that it isn't, or doesn't exist. */
async function findPublished(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, {
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok)
      return response.status === 404 || response.status === 410
        ? undefined
        : `can't be checked: it responds with ${response.status}`;
    // Another page: the site was not built by this project.
    return buildFile.pick({ digest: true }).safeParse(await response.json().catch(() => undefined)).success
      ? 'is published'
      : undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND') return undefined;
    return `can't be checked: ${getErrorMessage(cause ?? error)}`;
  }
}
