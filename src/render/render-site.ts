import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { familyPath } from '#catalogue/addresses/paths.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { RenderScope } from '#catalogue/site/render-context.ts';
import type { Settings } from '#config/index.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { createProgressReporter } from '#generated/generator.ts';
import { createSitemapEntries } from '#generated/sitemaps/sitemap.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import { type ProductIndexChanges, splitGroupKey } from '#catalogue/read-model/update-product-index.ts';
import type { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { createBatches, NO_BATCHES, toRenderScope } from './batches.ts';
import { openBundle, type BundleRenderer } from './bundle/astro-internals.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { createIncompatibleError } from './bundle/intercept-pages.ts';
import { chooseScope, type BuildScope } from './choose-scope.ts';
import {
  cacheCollections,
  readCollections,
  type CachedCollections,
  currentCollections,
} from './collections/current-collections.ts';
import type { FileGenerationOptions } from './finish-build.ts';
import { openPageFinder, type PageList, type PageFinder } from './find-pages.ts';
import { matchesBuild, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import { isMostlyMissing, isSiteIntact } from './manifest/site-integrity.ts';
import { hasSameReads } from './manifest/trace.ts';
import { type Batch, updatePages, type PagePath, type UpdatedPages } from './update-pages.ts';
import { openRenderPool, createSlowReporter } from './render-pool.ts';
import { isInShard, type Shard } from './shard.ts';

export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>;

/** State that the next build of this process can render with. */
export interface WarmState extends CachedCollections {
  renderer: BundleRenderer;
}

export interface RenderSiteOptions {
  bundle: CachedBundle;
  snapshot: SnapshotReader;
  /** Readers of the current product index, and its changes. */
  products: ReturnType<typeof openUpdatedReaders>;
  manifest: BuildManifest;
  /** State of the last build, from the manifest. */
  previous: BuildState;
  writer: PageWriter;
  /** Files of `public/`, which take precedence over pages. */
  publicFiles: ReadonlySet<string>;
  logger: Logger;
  threads: number | undefined;
  /** Restricts rendering to a shard. */
  shard: Shard | undefined;
  /** State from the last build of this process, if any. */
  warm?: WarmState | undefined;
  /** True if Astro has logged the warnings of loaders. */
  hasWarned: boolean;
  /** Called before pages are rendered in the main thread: generators may start in parallel. */
  onAlone?: (state: Pick<FileGenerationOptions, 'isReliable' | 'areThere' | 'changes'>) => void;
  /** True in Astro's process: everything is rendered, and Astro handles what the bundle can't. */
  isAstros: boolean;
}

export interface RenderedSite {
  /** State of this build, not committed yet. */
  state: BuildState;
  updated: UpdatedPages;
  /** Changes of products; undefined if anything may have changed. */
  changes: ProductIndexChanges | undefined;
  warm: WarmState;
}

/**
 * Finds and renders the pages that may have changed since the last build. If the last build finished and only some
 * products have changed since, checks only pages that may show them.
 *
 * @throws SortimentError BUNDLE_INCOMPATIBLE if the bundle can't be used. Other errors come from pages.
 */
export async function renderSite(settings: Settings, options: RenderSiteOptions): Promise<RenderedSite> {
  const { bundle, snapshot, products, manifest, previous, publicFiles, logger, threads, shard, warm, isAstros } =
    options;
  const { distFolder } = settings;
  const { bundleFolder } = buildPaths(settings);
  const { changes } = products;
  const warn = (message: string): void => logger.warn(message);
  const { loaded, provided, digests, areCached } = currentCollections(settings, {
    snapshot,
    cursor: changes.cursor,
    cached: warm ?? readCollections(bundleFolder),
    projectCollections: bundle.collections,
    warn: options.hasWarned ? () => undefined : warn,
  });
  const onSlow = createSlowReporter(warn);
  const renderer = warm?.renderer ?? (await openBundle(bundleFolder, bundle.state, { onLog: warn, onSlow }));
  const finder = openPageFinder(renderer, {
    bundle: bundle.state,
    siteUrl: settings.siteUrl,
    productIndex: products.productIndex,
    readProduct: products.readProduct,
    readTranscript: products.readTranscript,
    provided,
    publicFiles,
    isAstros,
  });
  try {
    const { find } = finder;
    const productIndex = products.productIndex();
    const languages = languageCodes(snapshot, settings.options);
    // A long-running process has already checked them.
    const isWhole =
      previous.complete && (warm !== undefined || isSiteIntact(manifest, distFolder, languages, previous));
    const isSame =
      previous.collections?.['episodes'] === digests['episodes'] &&
      !changes.everything &&
      changes.productGroups.size === 0;
    const recorder = await renderer.createReadRecorder();
    const episodeProducts = (isSame ? previous.episodeProducts : undefined) ?? recorder.episodeProducts();
    const { asked } = manifest;
    const now = {
      collections: digests,
      episodeProducts,
      changes,
      productIndex,
      asked,
      recorder,
      load: renderer.load,
      threads,
    };
    const rendersAll = isAstros || shard !== undefined;
    const chosen = rendersAll ? undefined : await chooseScope({ ...previous, complete: isWhole }, now);
    const check = async (found: readonly PagePath[]): Promise<void> => {
      // A long-running process has already compared some.
      if (!warm && !rendersAll) await checkSamples(found, manifest, distFolder);
    };
    const found =
      (chosen?.scope && (await findInScope(find, chosen.scope))) ??
      (await findAll(find, {
        batches: rendersAll ? [] : createBatches(productIndex, { languages, threads, changed: changes.products }),
        manifest,
        previous,
        productIndex,
        check,
      }));
    const { scope, batches } = found;
    logger.debug(scope ? `${found.paths.length} pages are looked at` : 'All pages are looked at');
    const paths = shard ? found.paths.filter(({ file }) => isInShard(file, shard)) : found.paths;
    const others = manifest.othersOf(scope?.routes ?? []);
    if (scope) checkDuplicates(paths, scope, { others, manifest });
    await check(paths);
    const state: BuildState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      productIndex: changes.to,
      collections: digests,
      episodeProducts,
      turn: (previous.turn ?? 0) + 1,
    };
    const isReliable = matchesBuild(previous, state) && previous.complete;
    // Files of all other pages aren't checked either.
    const areThere = isWhole && scope !== undefined;
    const updated = await updatePages({
      paths,
      routes: found.routes,
      changed: chosen?.changed ?? [],
      areAll: scope === undefined,
      areThere,
      fromScratch: found.fromScratch || rendersAll,
      gone: scope ? [...scope.gone, ...findGone(scope, paths, { others, manifest })] : [],
      manifest,
      state,
      writer: options.writer,
      describe: createSitemapEntries(settings, snapshot, productIndex),
      onProgress: createProgressReporter('pages', (message) => logger.info(message)),
      pool: openRenderPool(
        { settings, bundleFolder, state: bundle.state, collections: provided },
        {
          threads,
          batches,
          scope: found.lookedIn,
          routes: scope?.routes,
          onAlone: () => options.onAlone?.({ isReliable, areThere, changes: scope && changes }),
          warn,
          onSlow,
          debug: (message) => logger.debug(message),
          findPages: async (unfinished) => {
            productIndex.readAhead();
            // Pages of all other routes have already been found.
            return (await find(toRenderScope(unfinished), asked.scopedRoutes())).paths;
          },
        },
      ),
    });
    // A long-running process has them in memory. Another process finds older ones here, and loads the changes.
    if (!areCached && !warm) await cacheCollections(bundleFolder, loaded);
    return { state, updated, changes: scope && changes, warm: { renderer, ...loaded } };
  } finally {
    finder.close();
  }
}

interface FoundWork extends Omit<PageList, 'isUnclear'> {
  /** Scope of the build; undefined for everything. */
  scope: BuildScope | undefined;
  /** Scope in which `paths` were found. */
  lookedIn: RenderScope | undefined;
  /** All other pages, for threads to find, compare and render; empty if threads don't pay off. */
  batches: readonly Batch[];
  /** True if almost every page is stale, so that comparing isn't worthwhile. */
  fromScratch: boolean;
}

/** Returns undefined if it is unclear which pages depend on the scope. */
async function findInScope(find: PageFinder['find'], scope: BuildScope): Promise<FoundWork | undefined> {
  const lookedIn = { ...scope, withCrossReferenced: true };
  const found = await find(lookedIn, scope.routes);
  return found.isUnclear ? undefined : { scope, lookedIn, batches: [], fromScratch: false, ...found };
}

async function findAll(
  find: PageFinder['find'],
  {
    batches,
    previous,
    check,
    ...known
  }: {
    batches: readonly Batch[];
    manifest: BuildManifest;
    previous: BuildState;
    productIndex: ProductIndex;
    /** Checks pages of the latest search. */
    check: (paths: readonly PagePath[]) => Promise<void>;
  },
): Promise<FoundWork> {
  const { manifest, productIndex } = known;
  const all = { scope: undefined, batches };
  if (batches.length === 0) {
    productIndex.readAhead();
    return { ...all, lookedIn: undefined, fromScratch: false, ...(await find(undefined)) };
  }
  const fromScratch = !manifest.hasKeys() || (previous.complete && isMostlyMissing(manifest, previous.distFolder));
  if (!fromScratch) await check(await findSamples(find, known));
  return { ...all, lookedIn: NO_BATCHES, fromScratch, ...(await find(NO_BATCHES)) };
}

/** Returns a spread sample of product pages. */
async function findSamples(
  find: PageFinder['find'],
  { manifest, productIndex }: { manifest: BuildManifest; productIndex: ProductIndex },
): Promise<readonly PagePath[]> {
  const products = productIndex.samples(3);
  return (await find(toRenderScope([{ products, productGroups: [] }]), manifest.asked.scopedRoutes())).paths;
}

/** Records of the last build about pages. */
interface LastPages {
  /** Files of the scope's routes that are not about a product or a family. */
  others: ReadonlySet<string>;
  manifest: BuildManifest;
}

/** Throws if two routes generate the same file, even if one of them is outside the scope. */
function checkDuplicates(paths: readonly PagePath[], { routes }: BuildScope, { others, manifest }: LastPages): void {
  for (const { file, route } of paths) {
    if (others.has(file)) continue;
    const knownRoute = manifest.routeOf(file) ?? route;
    if (knownRoute !== route && !routes.includes(knownRoute))
      throw createIncompatibleError(`two routes generate ${file}`);
  }
}

/** Returns removed pages other than those of products: shortened lists, posts, the journal. */
function findGone(
  { productGroups }: BuildScope,
  paths: readonly PagePath[],
  { others, manifest }: LastPages,
): string[] {
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...productGroups]
    .map(splitGroupKey)
    .flatMap(({ language, rest }) => manifest.filesBelow(outputPath(familyPath(language, rest)).replace(/\/$/, '')));
  return [...lists, ...others].filter((file) => !present.has(file));
}

/** If almost all pages have changed, finding an unchanged one would take too long. */
const SAMPLES_TRIED = 50;

/**
 * Renders two unchanged pages, one of them a product's, and compares them with their files, in case the bundle and
 * Astro's internals don't match.
 */
async function checkSamples(paths: readonly PagePath[], manifest: BuildManifest, distFolder: string): Promise<void> {
  const isThere = ({ file }: PagePath): boolean => existsSync(path.join(distFolder, file));
  const findUnchanged = (pages: readonly PagePath[]): PagePath | undefined =>
    pages
      .slice(0, SAMPLES_TRIED)
      .find((page) => isThere(page) && hasSameReads(manifest.knownFile(page.file), page.keyNow));
  const middle = Math.floor(paths.length / 2);
  const samples = [
    findUnchanged([...paths.slice(middle), ...paths.slice(0, middle)]),
    findUnchanged(paths.filter(({ file }) => file.includes('/p/'))),
  ];
  for (const sample of samples) {
    if (!sample) continue;
    const file = path.join(distFolder, sample.file);
    const { written } = await sample.render();
    if (written && !readFileSync(file).equals(written.bytes))
      throw createIncompatibleError(`it renders ${sample.file} differently`);
  }
}
