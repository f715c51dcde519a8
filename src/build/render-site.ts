import type { AstroIntegrationLogger } from 'astro';
import { familyPath } from '#catalogue/addresses/paths.ts';
import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { createProgressReporter } from '#generated/generator.ts';
import { createSitemapEntries } from '#generated/sitemaps/sitemap.ts';
import type { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { splitGroupKey } from '#catalogue/read-model/update-product-index.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { createIncompatibleError, openBundle } from './bundle/astro-internals.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { chooseScope, PRODUCT_ROUTE, type BuildScope } from './choose-scope.ts';
import { cacheCollections, currentCollections } from './collections/snapshot-loaders.ts';
import { openPageFinder } from './find-pages.ts';
import { type BuildManifest, type BuildState, isSiteIntact } from './manifest/build-manifest.ts';
import {
  createBatches,
  toRenderScope,
  type Batch,
  type RenderJob,
  type RenderResult,
  type RenderTask,
} from './batches.ts';
import { isInShard, type Shard } from './shard.ts';
import { updatePages, type PagePath, type RenderResults } from './update-pages.ts';
import { availableParallelism } from 'node:os';
import { getErrorMessage } from '#contracts/index.ts';
import { batchSource, chunkList, runThreads } from '#files/worker-pool.ts';
import { collectGarbage, startThread } from '#files/worker-thread.ts';

export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>;

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
  shard: Shard | undefined;
  /** True if Astro has logged the warnings of loaders. */
  hasWarned: boolean;
}

/**
 * Finds and renders the pages that may have changed since the last build. Renders all pages if the last build did not
 * finish, or if it is unknown what has changed.
 *
 * @throws SortimentError BUNDLE_INCOMPATIBLE if the bundle can't be used. Other errors come from pages.
 */
export async function renderSite(settings: Settings, options: RenderSiteOptions) {
  const { bundle, snapshot, products, manifest, previous, publicFiles, logger, threads, shard } = options;
  const { distFolder, siteUrl } = settings;
  const { bundleFolder } = buildPaths(settings);
  const { changes } = products;
  const warn = (message: string): void => logger.warn(message);
  const { loaded, provided, digests, areCached } = currentCollections(settings, {
    snapshot,
    cursor: changes.cursor,
    bundleFolder,
    projectCollections: bundle.collections,
    warn: options.hasWarned ? () => undefined : warn,
  });
  const renderer = await openBundle(bundleFolder, bundle.state, warn);
  const productIndex = products.productIndex();
  const { find, close } = openPageFinder(renderer, {
    bundle: bundle.state,
    siteUrl,
    products,
    provided,
    publicFiles,
  });
  try {
    const languages = languageCodes(snapshot, settings.options);
    const recorder = await renderer.createReadRecorder();
    // Defines the product queries.
    await renderer.load(renderer.routes().filter((route) => PRODUCT_ROUTE.test(route)));
    const areValuesSame =
      !changes.everything &&
      changes.productGroups.size === 0 &&
      [...recorder.productQuerySources()].every((source) => previous.collections?.[source] === digests[source]);
    const state: BuildState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      productIndex: changes.to,
      collections: digests,
      productValues: (areValuesSame ? previous.productValues : undefined) ?? recorder.productValues(),
      turn: (previous.turn ?? 0) + 1,
    };
    const isIntact = !shard && previous.complete && isSiteIntact(manifest, distFolder, previous);
    const { asked } = manifest;
    const { load } = renderer;
    const { scope, changed, fromScratch } = isIntact
      ? await chooseScope(previous, { ...state, changes, index: productIndex, asked, recorder, load })
      : { changed: [], fromScratch: true };
    const narrowed = scope && { ...scope, withCrossReferenced: true };
    const selected = narrowed && (await find(narrowed, narrowed.routes));
    // It may be unclear which pages depend on the scope.
    const partial = selected?.isUnclear ? undefined : narrowed;
    const pages = languages.reduce((sum, language) => sum + productIndex.count(language), 0);
    // Threads find the pages of batches, also those of other shards.
    const hasBatches = fromScratch && !shard && poolSize(pages, threads) > 0;
    const batches = hasBatches ? createBatches(productIndex, languages) : [];
    const lookedIn = hasBatches ? toRenderScope([]) : partial;
    if (!lookedIn) productIndex.readAhead();
    const found = selected && partial ? selected : await find(lookedIn);
    logger.debug(partial ? `${found.paths.length} pages are looked at` : 'All pages are looked at');
    const paths = shard ? found.paths.filter(({ file }) => isInShard(file, shard)) : found.paths;
    const gone = partial && findGone(partial, paths, manifest);
    const task = {
      settings,
      bundleFolder,
      state: bundle.state,
      collections: provided,
      scope: lookedIn,
      routes: partial?.routes,
    };
    const updated = await updatePages({
      paths,
      routes: found.routes,
      changed,
      fromScratch,
      gone,
      manifest,
      state,
      writer: options.writer,
      describe: createSitemapEntries(settings, snapshot, productIndex),
      onProgress: createProgressReporter('pages', (message) => logger.info(message)),
      renderInThreads: async (files, results) => {
        const size = poolSize(files.length + (hasBatches ? pages : 0), threads);
        if (size === 0 || files.length + batches.length === 0) return [];
        const left = await renderInThreads(task, { size, files, batches, warn, ...results });
        if (left.length === 0) return [];
        productIndex.readAhead();
        // Pages of all other routes have already been found.
        return (await find(toRenderScope(left), asked.scopedRoutes())).paths;
      },
    });
    // Another process finds older ones here, and loads the changes.
    if (!areCached) await cacheCollections(bundleFolder, loaded);
    // The caller commits the state. Changes are undefined if anything may have changed.
    return { state, updated, changes: partial && changes };
  } finally {
    close();
  }
}

/**
 * Returns removed pages: of products, and of shortened lists, posts and the like.
 *
 * @throws SortimentError BUNDLE_INCOMPATIBLE if two routes generate the same file, one of them outside the scope.
 */
function findGone(
  { routes, productGroups, gone }: BuildScope,
  paths: readonly PagePath[],
  manifest: BuildManifest,
): string[] {
  // Files of these routes that are not about a product or a family.
  const others = manifest.othersOf(routes);
  for (const { file, route } of paths) {
    const known = others.has(file) ? route : (manifest.page(file)?.route ?? route);
    if (known !== route && !routes.includes(known)) throw createIncompatibleError(`two routes generate ${file}`);
  }
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...productGroups]
    .map(splitGroupKey)
    .flatMap(({ language, rest }) => manifest.filesBelow(outputPath(familyPath(language, rest)).replace(/\/$/, '')));
  return [...gone, ...[...lists, ...others].filter((file) => !present.has(file))];
}

/** Starting a thread takes as long as a few hundred pages, and each thread needs its own lists in memory. */
const PAGES_WORTH_A_THREAD = 3000;

/**
 * Returns the number of threads for a number of pages; 0 to render in the main thread.
 *
 * @param requested Number chosen by the user.
 */
export function poolSize(pages: number, requested: number | undefined): number {
  const size = requested ?? Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

const FILES_AT_ONCE = 50;

/**
 * Renders and writes pages in threads, and passes them on. Pages that a thread can't render have no result: render them
 * in the main thread, which reports errors with their location.
 *
 * @param files Pages that belong to no batch.
 * @returns Batches with pages that are left to render.
 */
export async function renderInThreads(
  task: RenderTask,
  {
    size,
    files,
    batches,
    warn,
    onPage,
    onReads,
  }: RenderResults & {
    size: number;
    files: readonly string[];
    batches: readonly Batch[];
    /** Called after a thread has failed. */
    warn: (message: string) => void;
  },
): Promise<Batch[]> {
  const jobs: RenderJob[] = [
    ...chunkList(files, FILES_AT_ONCE).map((chunk) => ({ files: chunk })),
    ...batches.map((batch, number) => ({ batch, number })),
  ];
  const left = new Map(batches.entries());
  collectGarbage();
  await runThreads<RenderJob, RenderResult>({
    size,
    start: (number) => startThread(new URL('./render-worker.ts', import.meta.url), { task, number }),
    take: batchSource(jobs, 1),
    onResult: ({ rendered, delivered, routes }) => {
      for (const [route, answers] of routes) onReads(route, answers);
      for (const [file, page, traced] of rendered) onPage(file, page, traced);
      if (delivered !== undefined) left.delete(delivered);
    },
  }).catch((error: unknown) =>
    warn(`A rendering worker failed; its pages are rendered in the main thread: ${getErrorMessage(error)}`),
  );
  return [...left.values()];
}
