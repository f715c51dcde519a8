import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { countNoun, getErrorMessage, isSortimentError, SortimentError } from '#contracts/index.ts';
import { withBasePath, type Settings } from '#config/index.ts';
import {
  checkSecurityContact,
  findBrokenDocuments,
  formatBrokenDocuments,
  findUntranslatedLanguages,
} from '../checks/build-warnings.ts';
import { disableAstroNetwork } from '#build/astro-log.ts';
import { buildPaths } from '#config/build-paths.ts';
import { fingerprintProject } from '#build/bundle/sources.ts';
import { dropBundle, markUnusable, readBundle } from '#build/bundle/cached-bundle.ts';
import { removeManifest } from '#build/manifest/build-manifest.ts';
import { removeDrafts } from '#build/dev/draft-copies.ts';
import { lockBuild } from '#build/lock-build.ts';
import type { RebuildOptions } from '#build/rebuild-site.ts';
import { readSnapshotState } from '#catalogue/read-model/with-snapshot.ts';
import { BUILD_FILE, prepareShardFolder, type Shard } from '#build/shard.ts';
import { createIncompatibleError, incompatibilityReason } from '#build/bundle/astro-internals.ts';
import { findMissingSnapshot, openSnapshot } from '#snapshot/index.ts';
import { toBuildError } from './build-error.ts';
import { buildFile } from './build-file.ts';
import { buildInProcess, buildWithAstro, type BuildMode, type BuildOutput, type BuiltSite } from './run-in-process.ts';

export interface BuildSiteOptions {
  /**
   * Renders everything with Astro itself: slow, for comparison.
   * @default false
   */
  defaultLoop?: boolean;
  /** Restricts rendering to a shard, to be merged with the others. */
  shard?: Shard | undefined;
  /**
   * Number of rendering threads.
   * @default the number of cores, if there are enough pages
   */
  threads?: number | undefined;
  /**
   * Called before a build without the cached bundle, with the reason as the end of a sentence. An error ends the build.
   *
   * @param isLoaded True if this process has loaded the bundle, and found it unusable.
   */
  onLongWay?: (why: string, isLoaded: boolean) => void;
  /** Receives the progress of a long build as a short text. */
  onProgress?: (message: string) => void;
  /** Receives debug messages. */
  onDebug?: (message: string) => void;
}

/**
 * Builds the site: with the bundle of an earlier build if only the snapshot has changed, otherwise with Astro.
 *
 * @throws SortimentError BUILD_RUNNING, BUILD_FAILED with the location of the error, or the error of a step.
 */
export async function buildSite(
  settings: Settings,
  output: BuildOutput,
  options: BuildSiteOptions = {},
): Promise<BuiltSite> {
  const {
    defaultLoop = false,
    shard,
    threads,
    onLongWay,
    onProgress = () => undefined,
    onDebug = () => undefined,
  } = options;
  const started = performance.now();
  using _lock = lockBuild(settings);
  removeDrafts(settings);
  const warnings: string[] = [];
  const need: NeedForVite | undefined = defaultLoop
    ? { why: 'you asked for it', loopReason: 'you asked for it' }
    : findNeedForVite(settings);
  let why = need?.why;
  let way: BuildMode = 'cached bundle';
  try {
    if (shard) prepareShardFolder(settings);
    let isDone = false;
    if (why === undefined) ({ isDone, why } = await rebuild(settings, warnings, { threads, shard, onDebug }));
    if (!isDone) {
      onLongWay?.(why, need === undefined);
      const logger = { info: onProgress, warn: (message: string) => void warnings.push(message), debug: onDebug };
      const { loopReason } = need ?? {};
      way = await buildWithVite(settings, { defaultLoop, loopReason, output, shard, threads, logger });
    }
  } catch (error) {
    throw toBuildError(error);
  }
  warnings.push(...[checkSecurityContact(settings, new Date())].filter((warning) => warning !== undefined));
  const { digest, pages } = buildFile.parse(
    JSON.parse(await readFile(path.join(settings.distFolder, BUILD_FILE), 'utf8')),
  );
  const durationMs = Math.round(performance.now() - started);
  const brokenDocuments = findBrokenDocuments(settings);
  for (const { code, file, missing } of findUntranslatedLanguages(
    settings.root,
    readSnapshotState(settings).languages,
  )) {
    const texts = missing === undefined ? 'buttons and headings' : countNoun(missing, 'text');
    warnings.push(`Pages in ${code} have ${texts} in ${settings.options.mainLanguage}: translate them in ${file}.`);
  }
  if (brokenDocuments.length > 0) warnings.push(formatBrokenDocuments(brokenDocuments));
  return {
    digest,
    pages,
    durationMs,
    distFolder: settings.distFolder,
    way,
    why,
    // The product index is updated twice if Astro's configuration has another base path.
    warnings: [...new Set(warnings)],
    brokenDocuments,
  };
}

interface NeedForVite {
  why: string;
  /** Set if Astro has to render the pages. */
  loopReason?: string;
}

/** Returns the reason why the build needs Vite; undefined if the cached bundle is usable. */
function findNeedForVite(settings: Settings): NeedForVite | undefined {
  const bundle = readBundle(buildPaths(settings).bundleFolder);
  if (findMissingSnapshot(settings.snapshotPath)) return { why: 'there is no snapshot of this version yet' };
  if (!bundle) return { why: 'no earlier build has cached a bundle' };
  const { fingerprint, ownBase, sources, unusable } = bundle;
  const { languages } = readSnapshotState(settings);
  if (fingerprint !== fingerprintProject(withBasePath(settings, ownBase), languages, sources))
    return { why: 'source, configuration or languages have changed' };
  return unusable === undefined ? undefined : { why: unusable, loopReason: unusable };
}

/** @returns True if it succeeded, and the reason for either result. */
async function rebuild(
  settings: Settings,
  warnings: string[],
  { threads, shard, onDebug }: Pick<RenderChoices, 'threads' | 'shard'> & { onDebug: (message: string) => void },
): Promise<{ isDone: boolean; why: string }> {
  const logger = { info: () => undefined, warn: (message: string) => void warnings.push(message), debug: onDebug };
  try {
    const isSame = await render(settings, { threads, shard, logger });
    const why = isSame
      ? 'only the snapshot may have changed since the last build'
      : 'another checkout with the same sources has built it';
    return { isDone: true, why };
  } catch (error) {
    const reason = incompatibilityReason(error);
    // An error of a page occurs with Vite too: the cached bundle is not to blame.
    if (reason === undefined) throw error;
    warnings.length = 0;
    const { manifestFile, bundleFolder } = buildPaths(settings);
    removeManifest(manifestFile);
    dropBundle(bundleFolder);
    return { isDone: false, why: `with the cached bundle: ${reason}` };
  }
}

type RenderChoices = Pick<RebuildOptions, 'threads' | 'shard' | 'logger'>;

/**
 * Renders with the cached bundle.
 *
 * @param isFresh True if Astro has just built it.
 * @returns True if the last build of this checkout has used it.
 */
async function render(original: Settings, choices: RenderChoices, isFresh = false): Promise<boolean> {
  disableAstroNetwork();
  const bundle = readBundle(buildPaths(original).bundleFolder);
  if (!bundle) throw createIncompatibleError('it is gone');
  const settings = withBasePath(original, bundle.ownBase);
  setBasePath(settings.base, settings.options.path);
  const { rebuildSite } = await import('#build/rebuild-site.ts');
  using snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  return await rebuildSite(settings, { ...choices, bundle, snapshot, isFresh });
}

/**
 * Builds the bundle with Astro and renders with it. Leaves the pages to Astro's own loop if the bundle can't be used.
 *
 * @param options `loopReason`: why that is known already.
 */
async function buildWithVite(
  settings: Settings,
  {
    output,
    defaultLoop,
    loopReason,
    shard,
    threads,
    logger,
  }: RenderChoices & { output: BuildOutput; defaultLoop: boolean; loopReason: string | undefined },
): Promise<BuildMode> {
  let reason = loopReason;
  if (reason === undefined) {
    try {
      const [isBundle] = await Promise.all([
        buildWithAstro(settings, { output, loopReason, shard, emptiesDist: false }),
        updateProductIndex(settings, logger),
      ]);
      if (!isBundle) return 'default loop';
      await render(settings, { threads, shard, logger }, true);
      return 'vite';
    } catch (error) {
      reason = incompatibilityReason(error);
      if (reason === undefined) throw error;
    }
  }
  await buildWithAstro(settings, { output, loopReason: reason, shard, emptiesDist: defaultLoop });
  if (!defaultLoop) await markUnusable(buildPaths(settings).bundleFolder, reason);
  return 'default loop';
}

/**
 * Updates the product index while Astro bundles in its own process: 2 s of a cold build of 10,000 pages in 20 s
 * (2026-11-29). Failures recur, and are reported, when the build opens the index.
 */
async function updateProductIndex(settings: Settings, logger: RenderChoices['logger']): Promise<void> {
  if (findMissingSnapshot(settings.snapshotPath)) return;
  const { base } = withBasePath(settings, readBundle(buildPaths(settings).bundleFolder)?.ownBase);
  setBasePath(base, settings.options.path);
  const { openUpdatedReaders } = await import('#catalogue/read-model/product-readers.ts');
  try {
    openUpdatedReaders(settings, (message) => logger.warn(message)).close();
  } catch (error) {
    logger.debug(`The product index was not updated early: ${getErrorMessage(error)}`);
  }
}

/** Merges shard builds into the site. Throws like `mergeShards`. */
export async function mergeSite(settings: Settings, folders: readonly string[]): Promise<BuiltSite> {
  const started = performance.now();
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  using _lock = lockBuild(settings);
  const { mergeShards } = await import('#build/merge-shards.ts');
  const { pages, digest } = await mergeShards(settings, folders, logger);
  const brokenDocuments = findBrokenDocuments(settings);
  if (brokenDocuments.length > 0) warnings.push(formatBrokenDocuments(brokenDocuments));
  const why = `${folders.length} merged shards`;
  const durationMs = Math.round(performance.now() - started);
  return { digest, pages, durationMs, distFolder: settings.distFolder, way: 'merge', why, warnings, brokenDocuments };
}

const LONG_WAY = 'BUILD_NEEDS_VITE';

/**
 * Creates a function that builds again and again. It renders in this process if the cached bundle is still the one of
 * its start: loading all modules in a child process takes three times as long as rendering a changed product.
 */
export function createBuilder(settings: Settings, output: BuildOutput): (signal: AbortSignal) => Promise<BuiltSite> {
  const fingerprint = () => readBundle(buildPaths(settings).bundleFolder)?.fingerprint;
  /** Fingerprint of the modules of this process: Node can't load another version of them. */
  let loaded = fingerprint();
  let canReload = true;
  const onLongWay = (why: string, isLoaded: boolean): never => {
    canReload = !isLoaded;
    throw new SortimentError(LONG_WAY, why);
  };
  const buildHere = () =>
    buildSite(settings, output, { onLongWay }).catch((error: unknown) => {
      if (isSortimentError(error) && error.code === LONG_WAY) return undefined;
      throw error;
    });
  return async (signal) => {
    const current = fingerprint();
    const isLoadable = canReload && current !== undefined && (loaded ?? current) === current;
    const built = (isLoadable ? await buildHere() : undefined) ?? (await buildInProcess(settings, output, { signal }));
    loaded ??= fingerprint();
    return built;
  };
}
