import type { Settings } from '#config/index.ts';
import { lockBuild } from '#build/lock-build.ts';
import { mergeShards } from '#build/merge-shards.ts';
import { findBrokenDocuments, formatBrokenDocuments } from '../checks/build-warnings.ts';
import type { BuiltSite } from './build-site.ts';

/** Merges shard builds into the site. Throws like `mergeShards`. */
export async function mergeSite(settings: Settings, folders: readonly string[]): Promise<BuiltSite> {
  const started = performance.now();
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  const lock = lockBuild(settings);
  const { pages, digest } = await mergeShards(settings, folders, logger).finally(lock.release);
  const brokenDocuments = findBrokenDocuments(settings);
  if (brokenDocuments.length > 0) warnings.push(formatBrokenDocuments(brokenDocuments));
  const why = `${folders.length} merged shards`;
  const durationMs = Math.round(performance.now() - started);
  return { digest, pages, durationMs, distFolder: settings.distFolder, way: 'merge', why, warnings, brokenDocuments };
}
