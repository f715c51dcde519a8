import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter, type PageWriter } from '#files/page-writer.ts';
import { overlaysFromCollections } from '#generated/overlays.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { withReadCache, type Snapshot } from '#snapshot/index.ts';
import { createIncompatibleError } from './bundle/astro-internals.ts';
import { linkPackages, siteFolder, type CachedBundle } from './bundle/cached-bundle.ts';
import { dropCollections } from './collections/snapshot-loaders.ts';
import { finishBuild, scanFiles } from './finish-build.ts';
import { openManifest, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import { renderSite, type Logger } from './render-site.ts';
import type { Shard } from './shard.ts';

export interface RebuildOptions {
  bundle: CachedBundle;
  /** Not closed by the build. */
  snapshot: Snapshot;
  logger: Logger;
  threads: number | undefined;
  /** Restricts rendering to a shard, to be merged with the others. */
  shard?: Shard | undefined;
  /** True if Astro has just built the bundle for this build and has logged the warnings of loaders. */
  isFresh?: boolean;
}

/**
 * Builds from the snapshot with a cached bundle, without Vite and Astro's build.
 *
 * @returns True if the last build of this checkout has used the bundle.
 * @throws SortimentError BUNDLE_INCOMPATIBLE if the bundle can't be used: build with Vite then. Other errors come from
 * pages, and would occur with Vite as well.
 */
export async function rebuildSite(settings: Settings, options: RebuildOptions): Promise<boolean> {
  process.env['NODE_ENV'] ??= 'production';
  const { bundle, snapshot: opened, logger, threads, shard, isFresh = false } = options;
  const { distFolder } = settings;
  using manifest = openManifest(buildPaths(settings).manifestFile);
  using products = openUpdatedReaders(settings, (message) => logger.warn(message), opened);
  // Loaders, dates and generated files read the same records.
  const snapshot = withReadCache(opened);
  const writer = openPageWriter(distFolder);
  const last = manifest.state();
  const isSame = last?.fingerprint === bundle.fingerprint && last.distFolder === distFolder;
  const previous = isSame ? last : await adoptBundle(settings, { bundle, manifest, writer });
  const { others = [] } = previous;
  const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
  const made = others.filter((pathname) => pathname.startsWith('/_astro/')).map((pathname) => pathname.slice(1));
  restoreFiles(
    settings,
    [...made, ...publicFiles].filter((file) => !existsSync(path.join(distFolder, file))),
    writer,
  );
  const site = { manifest, snapshot, writer, digest: snapshot.digest(), logger, threads, shard };
  const rendered = await renderSite(settings, {
    ...site,
    bundle,
    products,
    previous,
    publicFiles,
    hasWarned: isFresh,
  });
  const overlays = () => overlaysFromCollections(bundle.collections);
  await finishBuild(settings, { ...site, ...rendered, others, host: products, overlays });
  return isSame;
}

/** Starts with a bundle that no build of this checkout has used: writes Vite's files, and makes all pages stale. */
async function adoptBundle(
  settings: Settings,
  { bundle, manifest, writer }: { bundle: CachedBundle; manifest: BuildManifest; writer: PageWriter },
): Promise<BuildState> {
  const { root, distFolder } = settings;
  const { bundleFolder } = buildPaths(settings);
  if (!existsSync(siteFolder(bundleFolder))) throw createIncompatibleError('the build that cached it did not finish');
  linkPackages(path.dirname(bundleFolder), root);
  const files = [...filesIn(siteFolder(bundleFolder)), ...filesIn(path.join(root, 'public'))];
  restoreFiles(settings, files, writer);
  // They belong to another snapshot.
  dropCollections(bundleFolder);
  const others = await scanFiles(distFolder, files);
  const state = { fingerprint: bundle.fingerprint, distFolder, complete: false, others };
  manifest.begin(state, 'all');
  return state;
}

/** Writes files of `public/` and of Vite into the site. */
function restoreFiles(settings: Settings, files: readonly string[], writer: PageWriter): void {
  const { bundleFolder } = buildPaths(settings);
  for (const file of files) {
    const source = [path.join(settings.root, 'public'), siteFolder(bundleFolder)].map((folder) =>
      path.join(folder, file),
    );
    const found = source.find((candidate) => existsSync(candidate));
    if (found === undefined) throw createIncompatibleError(`${file} is missing from ${settings.distFolder}`);
    writer.write(file, readFileSync(found));
  }
}
