import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import type { GeneratedFiles } from '#generated/index.ts';
import { collectedOverlays } from '#generated/overlays.ts';
import { openUpdatedReaders } from '#product-index/product-readers.ts';
import { keptRows, rememberReads, type KeptRows, type Snapshot } from '#snapshot/index.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { incompatibleBundle } from './bundle/incompatible-bundle.ts';
import { beginFiles } from './begin-files.ts';
import { finishBuild } from './finish-build.ts';
import { findManifest, isOf, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import { renderSite, type Logger, type WarmState } from './render-site.ts';
import type { Shard } from './shard.ts';

export interface RebuildOptions {
  bundle: CachedBundle;
  /** Stays open. */
  snapshot: Snapshot;
  logger: Logger;
  threads: number | undefined;
  /** Render these pages only, to be merged with those of the other shards. */
  shard?: Shard | undefined;
  /** What the last build of this process has left, if there was one. */
  warm?: WarmBuild | undefined;
  /** When this build began to write, where files of the bundle came before its pages. */
  sinceMs?: number | undefined;
  /** Whether Astro has made the bundle just now for this build, and has said what loaders warn of. */
  isFresh?: boolean;
}

export interface Rebuilt {
  /** Of the site. */
  pages: number;
  warm: WarmBuild;
}

/** What the next build of the same process can go on with. */
export interface WarmBuild extends WarmState {
  rows: KeptRows;
}

/**
 * Builds from the snapshot with a cached bundle, without Vite and Astro's build.
 * @throws SortimentError BUNDLE_INCOMPATIBLE when the bundle can't do it: build with Vite then. Other errors are those
 *   of pages, which Vite would only run into as well.
 */
export async function rebuildSite(settings: Settings, options: RebuildOptions): Promise<Rebuilt> {
  process.env['NODE_ENV'] ??= 'production';
  const { bundle, snapshot: opened, logger, threads, shard, warm, sinceMs, isFresh = false } = options;
  const { manifest, previous, others } = openOwnManifest(settings, bundle);
  const products = openUpdatedReaders(settings, opened);
  let files: GeneratedFiles | undefined;
  try {
    // Loaders, dates and generated files read the same records.
    const rows = keptRows(opened, warm?.rows);
    const snapshot = rememberReads(opened, rows);
    const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
    const lacking = findLacking(settings.distFolder, others, publicFiles);
    if (lacking !== undefined) throw incompatibleBundle(`${lacking} is gone from ${settings.distFolder}`);
    const writer = openPageWriter(settings.distFolder, sinceMs);
    const site = { manifest, snapshot, writer, digest: snapshot.digest(), logger, publicFiles };
    const overlays = () => collectedOverlays(bundle.collections);
    const rendered = await renderSite(settings, {
      ...site,
      bundle,
      products,
      previous,
      threads,
      shard,
      warm,
      hasWarned: isFresh,
      onAlone: (known) => {
        if (!shard) files = beginFiles(settings, { ...site, ...known, host: products, overlays });
      },
      isAstros: false,
    });
    const pages = manifest.countPages();
    const { folders } = previous;
    await finishBuild(settings, { ...site, ...rendered, shard, files, others, host: products, overlays, folders });
    return { pages, warm: { ...rendered.warm, rows } };
  } finally {
    await files?.end();
    products.close();
    manifest.close();
  }
}

/** The manifest, if it is of the build that has kept the bundle. */
function openOwnManifest(
  settings: Settings,
  bundle: CachedBundle,
): { manifest: BuildManifest; previous: BuildState; others: string[] } {
  const manifest = findManifest(buildPaths(settings).manifestFile);
  const previous = manifest?.state();
  const isOwn = isOf(previous, { fingerprint: bundle.fingerprint, distFolder: settings.distFolder });
  if (manifest && isOwn && previous.others) return { manifest, previous, others: previous.others };
  manifest?.close();
  throw incompatibleBundle('the build that kept it has not come to its end');
}

/** A file that only a build with Vite puts into the site, and that isn't there. */
function findLacking(
  distFolder: string,
  others: readonly string[],
  publicFiles: ReadonlySet<string>,
): string | undefined {
  const copied = [...publicFiles].filter((file) => !file.startsWith('.'));
  const made = others.filter((place) => place.startsWith('/_astro/')).map((place) => place.slice(1));
  const files = [...made, ...copied];
  return files.find((file) => !existsSync(path.join(distFolder, file)));
}
