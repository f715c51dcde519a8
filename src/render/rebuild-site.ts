import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import { type Settings, withBasePath } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { overlaysFromCollections } from '#generated/overlays.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import {
  reusableRows,
  withReadCache,
  type CachedRows,
  type Snapshot,
  openSnapshot,
  type SnapshotReader,
} from '#snapshot/index.ts';
import { type CachedBundle, bundleReader } from './bundle/cached-bundle.ts';
import { createIncompatibleError } from './bundle/astro-internals.ts';
import { finishBuild } from './finish-build.ts';
import { findManifest, matchesBuild, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import { renderSite, type Logger, type WarmState } from './render-site.ts';
import type { Shard } from './shard.ts';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { createFingerprintCache } from './bundle/fingerprint-project.ts';
import { lockBuild } from './lock-build.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';

export interface RebuildOptions {
  bundle: CachedBundle;
  /** Not closed by the build. */
  snapshot: Snapshot;
  logger: Logger;
  threads: number | undefined;
  /** Restricts rendering to a shard, to be merged with the others. */
  shard?: Shard | undefined;
  /** State from the last build of this process, if any. */
  warm?: WarmBuild | undefined;
  /** Start of the write, if files of the bundle were written before the pages. */
  sinceMs?: number | undefined;
  /** True if Astro has just built the bundle for this build and has logged the warnings of loaders. */
  isFresh?: boolean;
}

export interface RebuildResult {
  /** Number of pages of the site. */
  pages: number;
  warm: WarmBuild;
}

/** State that the next build of this process can reuse. */
export interface WarmBuild extends WarmState {
  rows: CachedRows;
}

/**
 * Builds from the snapshot with a cached bundle, without Vite and Astro's build.
 *
 * @throws SortimentError BUNDLE_INCOMPATIBLE if the bundle can't be used: build with Vite then. Other errors come from
 * pages, and would occur with Vite as well.
 */
export async function rebuildSite(settings: Settings, options: RebuildOptions): Promise<RebuildResult> {
  process.env['NODE_ENV'] ??= 'production';
  const { bundle, snapshot: opened, logger, threads, shard, warm, sinceMs, isFresh = false } = options;
  const { manifest, previous, others } = openCurrentManifest(settings, bundle);
  const products = openUpdatedReaders(settings, opened);
  try {
    // Loaders, dates and generated files read the same records.
    const rows = reusableRows(opened, warm?.rows);
    const snapshot = withReadCache(opened, rows);
    const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
    const missing = findMissing(settings.distFolder, others, publicFiles);
    if (missing !== undefined) throw createIncompatibleError(`${missing} is missing from ${settings.distFolder}`);
    const writer = openPageWriter(settings.distFolder, sinceMs);
    const site = { manifest, snapshot, writer, digest: snapshot.digest(), logger, threads, shard };
    const rendered = await renderSite(settings, {
      ...site,
      bundle,
      products,
      previous,
      publicFiles,
      warm,
      hasWarned: isFresh,
    });
    const pages = manifest.countPages();
    const overlays = () => overlaysFromCollections(bundle.collections);
    await finishBuild(settings, { ...site, ...rendered, others, host: products, overlays });
    return { pages, warm: { ...rendered.warm, rows } };
  } finally {
    products.close();
    manifest.close();
  }
}

/** Opens the manifest, if it belongs to the build that cached the bundle. */
function openCurrentManifest(
  settings: Settings,
  bundle: CachedBundle,
): { manifest: BuildManifest; previous: BuildState; others: string[] } {
  const manifest = findManifest(buildPaths(settings).manifestFile);
  const previous = manifest?.state();
  const isCurrent = matchesBuild(previous, { fingerprint: bundle.fingerprint, distFolder: settings.distFolder });
  if (manifest && isCurrent && previous.others) return { manifest, previous, others: previous.others };
  manifest?.close();
  throw createIncompatibleError('the build that cached it did not finish');
}

/** Finds a missing file that only a build with Vite can restore. */
function findMissing(
  distFolder: string,
  others: readonly string[],
  publicFiles: ReadonlySet<string>,
): string | undefined {
  const copied = [...publicFiles].filter((file) => !file.startsWith('.'));
  const made = others.filter((pathname) => pathname.startsWith('/_astro/')).map((pathname) => pathname.slice(1));
  const files = [...made, ...copied];
  return files.find((file) => !existsSync(path.join(distFolder, file)));
}

/**
 * Returns a function that builds with the cached bundle in a long-running process. Loaded modules stay in memory, and
 * only changes of the snapshot are read.
 *
 * @returns Undefined if the bundle is missing, unusable or outdated. Throws like `rebuildSite`.
 */
export function createRebuilder(
  logger: RebuildOptions['logger'],
): (settings: Settings) => Promise<{ digest: string; pages: number } | undefined> {
  let warm: { fingerprint: string; state: WarmBuild } | undefined;
  // Changed code of this process can't be reloaded.
  let loaded: string | undefined;
  const fingerprintCached = createFingerprintCache();
  const readBundleCached = bundleReader();
  return async (original) => {
    const bundle = readBundleCached(buildPaths(original).bundleFolder);
    const settings = withBasePath(original, bundle?.ownBase);
    setBasePath(settings.base);
    const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
    try {
      const { digest, languages } = getSnapshotState(snapshot, settings);
      const fingerprint = fingerprintCached(settings, languages, bundle?.sources);
      loaded ??= fingerprint;
      if (loaded !== fingerprint || bundle?.fingerprint !== fingerprint || bundle.unusable || digest === undefined)
        return undefined;
      const state = warm?.fingerprint === fingerprint ? warm.state : undefined;
      warm = undefined;
      const choices = { bundle, snapshot, logger, threads: undefined, warm: state };
      const lock = lockBuild(settings);
      const built = await rebuildSite(settings, choices).finally(lock.release);
      warm = { fingerprint, state: built.warm };
      return { digest, pages: built.pages };
    } finally {
      snapshot.close();
    }
  };
}

/** Reads the digest of the snapshot and the languages to build, before any content is loaded. */
export function readSnapshotState(settings: Settings): ReturnType<typeof getSnapshotState> {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    return getSnapshotState(snapshot, settings);
  } finally {
    snapshot.close();
  }
}

/** Reads the same from an open snapshot. */
function getSnapshotState(
  snapshot: SnapshotReader,
  { options }: Settings,
): { digest: string | undefined; languages: string[] } {
  return { digest: snapshot.digest(), languages: languageCodes(snapshot, options) };
}
