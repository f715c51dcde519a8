import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { fileAt, placeOf } from '#catalogue/addresses/base.ts';
import { familyPath, productPath } from '#catalogue/addresses/paths.ts';
import type { Settings } from '#config/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import type { IndexedPage, ProductIndex } from '#product-index/index.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { progressReporter } from '#generated/report-progress.ts';
import { hashAtOnce, openBundle, type BundleRenderer } from './bundle/astro-internals.ts';
import { buildPaths } from '#config/build-paths.ts';
import { chooseScope, type Scope } from './choose-scope.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import { currentCollections } from './collections/current-collections.ts';
import { describePageChrome } from './describe-page-chrome.ts';
import { describePages } from '#generated/sitemaps/describe-pages.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageFinder, type PageFinder } from './find-pages.ts';
import { finishBuild } from './finish-build.ts';
import { cacheCollections, readCollections, type CachedCollections } from './collections/cached-collections.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { isMostlyGone, looksWhole } from './manifest/looks-intact.ts';
import { openUpdatedReaders } from '#product-index/product-readers.ts';
import { outputFile } from './output-file.ts';
import { findEpisodeProducts } from './find-episode-products.ts';
import { findManifest, isOf, type BuildState, type BuildManifest } from './manifest/build-manifest.ts';
import type { FileReferences } from '#generated/scan/scan-text.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { NO_BATCHES, batchAll, scopeOf } from './batches.ts';
import type { Batch } from './render-job.ts';
import { provideCollections } from './collections/provide-collections.ts';
import { refuseImages } from './refuse-images.ts';
import { renderMany, slowReporter } from './render-pool.ts';
import { incompatibleBundle } from './bundle/incompatible-bundle.ts';
import { updatePages, type PagePath } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>;

export interface RebuildOptions {
  bundle: CachedBundle;
  /** Of the snapshot. */
  digest: string | undefined;
  /** The snapshot, where it is open already; it stays so. */
  openedSnapshot?: Snapshot | undefined;
  logger: Logger;
  threads: number | undefined;
  /** What the last build of this process has left, if there was one. */
  warm?: WarmState | undefined;
  /** When this build began to write, where files of the bundle came before its pages. */
  sinceMs?: number | undefined;
  /** Whether Astro has made the bundle just now for this build, and has said what loaders warn of. */
  isFresh?: boolean;
}

/** What the next build of the same process can go on with. */
export interface WarmState extends CachedCollections {
  renderer: BundleRenderer;
}

export interface Rebuilt {
  /** Of the site. */
  pages: number;
  warm: WarmState;
}

/**
 * Builds from the snapshot with a cached bundle, without Vite and Astro's build. When the last build has come to its end
 * and nothing but products has changed since, it looks at no other pages than those that may show one of them.
 * @throws SortimentError BUNDLE_INCOMPATIBLE when the bundle can't do it: build with Vite then. Other errors are those
 *   of pages, which Vite would only run into as well.
 */
export async function rebuildSite(settings: Settings, options: RebuildOptions): Promise<Rebuilt> {
  process.env['NODE_ENV'] ??= 'production';
  const { bundle, digest, openedSnapshot, logger, threads, warm, sinceMs, isFresh = false } = options;
  const { distFolder } = settings;
  const { bundleFolder } = buildPaths(settings);
  const { manifest, previous, others } = openOwnManifest(settings, bundle);
  const snapshot = openedSnapshot ?? openSnapshot(settings.snapshotPath, { readOnly: true });
  const products = openUpdatedReaders(settings, snapshot);
  let finder: PageFinder | undefined;
  const putBack: (() => void)[] = [];
  try {
    const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
    const lacking = findLacking(distFolder, others, publicFiles);
    if (lacking !== undefined) throw incompatibleBundle(`${lacking} is gone from ${distFolder}`);
    const { loaded, provided, areCached } = await currentCollections(settings, {
      snapshot,
      cursor: products.changes.cursor,
      kept: warm ?? readCollections(bundleFolder),
      ofProject: bundle.collections,
      // Of a fresh bundle, Astro has said it.
      warn: (message) => (isFresh ? undefined : logger.warn(message)),
    });
    const pageChrome = describePageChrome(snapshot, provided);
    putBack.push(
      hashAtOnce(),
      refuseImages(() => incompatibleBundle('pages show images that Astro makes')),
    );
    const onSlow = slowReporter((message) => logger.warn(message));
    const renderer =
      warm?.renderer ?? (await openBundle(bundleFolder, bundle.state, { onLog: reportTo(logger), onSlow }));
    finder = openPageFinder(renderer, {
      siteUrl: settings.siteUrl,
      productIndex: products.productIndex,
      readProduct: products.readProduct,
      readTranscript: products.readTranscript,
      provided: provideCollections(provided, products.productIndex),
      publicFiles,
    });
    const { find } = finder;
    const languages = languageCodes(snapshot, settings.options);
    // A process that goes on building has seen them.
    const isWhole = previous.complete && (warm !== undefined || looksWhole(manifest, distFolder, languages, previous));
    const { changes } = products;
    const isSame = previous.collections === loaded.id && !changes.everything && changes.productGroups.size === 0;
    const episodeProducts =
      (isSame ? previous.episodeProducts : undefined) ?? findEpisodeProducts(provided, products.productIndex());
    const { scope, batches, paths } = await lookForPages(find, {
      scope: chooseScope(
        { ...previous, complete: isWhole },
        {
          pageChrome,
          collections: loaded.id,
          episodeProducts,
          changes,
          productIndex: products.productIndex(),
          routes: renderer.routes,
        },
      ),
      isOfNoUse: () =>
        isManifestUseless(manifest, { previous, pageChrome, distFolder, productIndex: products.productIndex(), find }),
      pack: () => batchAll(products.productIndex(), languages, threads),
      productIndex: products.productIndex(),
    });
    if (scope) checkPlaces(paths, scope, manifest);
    // A process that goes on building has compared some before.
    if (!warm) await checkSamples(paths, manifest, distFolder);
    const writer = openPageWriter(distFolder, sinceMs);
    const state: BuildState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      pageChrome,
      productIndex: products.changes.to,
      collections: loaded.id,
      episodeProducts,
      turn: (previous.turn ?? 0) + 1,
    };
    const updated = await updatePages({
      paths,
      areAll: scope === undefined,
      fromScratch: batches !== undefined,
      gone: scope ? [...scope.gone, ...findGone(scope, paths, manifest)] : [],
      manifest,
      state,
      writer,
      describe: describePages(settings, snapshot, products.productIndex()),
      onProgress: progressReporter('pages', (message) => logger.info(message)),
      renderMany: renderMany(
        { settings, bundleFolder, state: bundle.state, collections: provided },
        {
          threads,
          batches,
          warn: (message) => logger.warn(message),
          onSlow,
          debug: (message) => logger.debug(message),
          findPages: async (left) => {
            products.productIndex().readAhead();
            return (await find(scopeOf(left))).paths;
          },
        },
      ),
    });
    await finishBuild(settings, {
      manifest,
      state,
      updated,
      host: products,
      snapshot,
      folders: previous.folders,
      changes: scope && products.changes,
      writer,
      digest,
      logger,
      others,
      publicFiles,
    });
    if (!areCached) await cacheCollections(bundleFolder, loaded);
    return { pages: manifest.countPages(), warm: { renderer, ...loaded } };
  } finally {
    for (const put of putBack) put();
    finder?.close();
    products.close();
    if (!openedSnapshot) snapshot.close();
    manifest.close();
  }
}

/** The manifest, if it is of the build that has kept the bundle. */
function openOwnManifest(
  settings: Settings,
  bundle: CachedBundle,
): { manifest: BuildManifest; previous: BuildState; others: FileReferences } {
  const manifest = findManifest(buildPaths(settings).manifestFile);
  const previous = manifest?.state();
  const isOwn = isOf(previous, { fingerprint: bundle.fingerprint, distFolder: settings.distFolder });
  if (manifest && isOwn && previous.others) return { manifest, previous, others: previous.others };
  manifest?.close();
  throw incompatibleBundle('the build that kept it has not come to its end');
}

interface FoundWork {
  /** What is looked at; undefined for everything. */
  scope: Scope | undefined;
  /** Where next to everything is rendered from scratch, what threads find and render. */
  batches: Batch[] | undefined;
  /** All else that is looked at. */
  paths: readonly PagePath[];
}

/** Finds the pages of a scope, or all when there is none or when it isn't clear what depends on it. */
async function lookForPages(
  find: PageFinder['find'],
  {
    scope,
    isOfNoUse,
    pack,
    productIndex,
  }: {
    scope: Scope | undefined;
    /** Whether nothing of the last build is of use. */
    isOfNoUse: () => Promise<boolean>;
    pack: () => Batch[] | undefined;
    productIndex: ProductIndex;
  },
): Promise<FoundWork> {
  const found = scope && (await find({ ...scope, withCrossReferenced: true }, scope.routes));
  if (found && !found.isUnclear) return { scope, batches: undefined, paths: found.paths };
  const batches = (await isOfNoUse()) ? pack() : undefined;
  if (!batches) productIndex.readAhead();
  const { paths } = await find(batches && NO_BATCHES);
  return { scope: undefined, batches, paths };
}

/** Whether next to nothing can be left alone, so that it isn't worth comparing. */
async function isManifestUseless(
  manifest: BuildManifest,
  now: {
    previous: BuildState;
    pageChrome: string;
    distFolder: string;
    productIndex: ProductIndex;
    find: PageFinder['find'];
  },
): Promise<boolean> {
  if (!manifest.hasKeys()) return true;
  if (!now.previous.complete) return false;
  if (isMostlyGone(manifest, now.distFolder)) return true;
  return (
    now.previous.pageChrome !== now.pageChrome && (await showsOther(now.productIndex.sample(), now.find, manifest))
  );
}

/** Whether a product's page shows something else although nobody says so of the product: then all of them do. */
async function showsOther(
  sample: IndexedPage | undefined,
  find: PageFinder['find'],
  manifest: BuildManifest,
): Promise<boolean> {
  if (!sample) return false;
  const { paths } = await find(scopeOf([{ products: [sample], productGroups: [] }]));
  const file = outputFile(placeOf(productPath(sample.data.pageLanguage, sample.data.slug)), 'page');
  const page = paths.find((found) => found.file === file);
  return page !== undefined && !isStill(page, manifest);
}

/** Of two pages in one place, one may be of a route that wasn't asked. */
function checkPlaces(paths: readonly PagePath[], { routes }: Scope, manifest: BuildManifest): void {
  for (const { file, route } of paths) {
    const known = manifest.routeOf(file) ?? route;
    if (known !== route && !routes.includes(known)) throw incompatibleBundle(`two routes generate ${file}`);
  }
}

/** Pages that are no more, besides those of products: of lists that have become shorter, of posts, of the journal. */
function findGone({ productGroups, routes }: Scope, paths: readonly PagePath[], manifest: BuildManifest): string[] {
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...productGroups]
    .map(splitPlace)
    .flatMap(({ language, rest }) => manifest.filesBelow(fileAt(familyPath(language, rest)).replace(/\/$/, '')));
  const others = routes.flatMap((route) => manifest.otherFiles(route));
  return [...lists, ...others].filter((file) => !present.has(file));
}

function reportTo(logger: Logger): (level: string, message: string) => void {
  return (level, message) => {
    if (level === 'warn' || level === 'error') logger.warn(message);
  };
}

/**
 * Renders two pages that should be as they are, one of them a product's, and compares: the bundle and what Astro's
 * internals give it may not fit.
 */
async function checkSamples(paths: readonly PagePath[], manifest: BuildManifest, distFolder: string): Promise<void> {
  const unchanged = paths.filter((page) => isStill(page, manifest));
  const samples = [unchanged[Math.floor(unchanged.length / 2)], unchanged.find(({ file }) => file.includes('/p/'))];
  for (const sample of samples) {
    if (!sample) continue;
    const file = path.join(distFolder, sample.file);
    const { bytes } = await sample.render();
    if (bytes && existsSync(file) && !readFileSync(file).equals(bytes))
      throw incompatibleBundle(`it gives another ${sample.file}`);
  }
}

/** Whether a page would read what it has read. */
function isStill({ file, keyNow }: PagePath, manifest: BuildManifest): boolean {
  const trace = manifest.page(file)?.trace;
  return trace !== undefined && trace.key === keyNow(trace);
}

/** A file that only a build with Vite puts into the site, and that isn't there. */
function findLacking(
  distFolder: string,
  { assets }: FileReferences,
  publicFiles: ReadonlySet<string>,
): string | undefined {
  const copied = [...publicFiles].filter((file) => !file.startsWith('.'));
  const files = [...assets.map((place) => place.slice(1)), ...copied];
  return files.find((file) => !existsSync(path.join(distFolder, file)));
}
