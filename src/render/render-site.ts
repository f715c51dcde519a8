import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { fileAt, placeOf } from '#catalogue/addresses/base.ts';
import { familyPath, productPath } from '#catalogue/addresses/paths.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { progressReporter } from '#generated/report-progress.ts';
import { describePages } from '#generated/sitemaps/describe-pages.ts';
import type { ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import type { openUpdatedReaders } from '#product-index/product-readers.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { batchAll, NO_BATCHES, scopeOf } from './batches.ts';
import { openBundle, type BundleRenderer } from './bundle/astro-internals.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { incompatibleBundle } from './bundle/incompatible-bundle.ts';
import { chooseScope, type Scope } from './choose-scope.ts';
import { cacheCollections, readCollections, type CachedCollections } from './collections/cached-collections.ts';
import { currentCollections } from './collections/current-collections.ts';
import { provideCollections } from './collections/provide-collections.ts';
import type { BeginFilesOptions } from './begin-files.ts';
import { openPageFinder, type FoundPages, type PageFinder } from './find-pages.ts';
import { isOf, type BuildManifest, type BuildState, type KnownPage } from './manifest/build-manifest.ts';
import { isMostlyGone, looksWhole } from './manifest/looks-intact.ts';
import { outputFile } from './output-file.ts';
import type { Batch } from './render-job.ts';
import { renderMany, slowReporter } from './render-pool.ts';
import { isInShard, type Shard } from './shard.ts';
import { updatePages, type PagePath, type UpdatedPages } from './update-pages.ts';

export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>;

/** What the next build of the same process can render with. */
export interface WarmState extends CachedCollections {
  renderer: BundleRenderer;
}

export interface RenderSiteOptions {
  bundle: CachedBundle;
  snapshot: SnapshotReader;
  /** The product index as the snapshot is, and what has become of it. */
  products: ReturnType<typeof openUpdatedReaders>;
  manifest: BuildManifest;
  /** What the manifest knows of the last build. */
  previous: BuildState;
  writer: PageWriter;
  /** Files of `public/`, which go before pages. */
  publicFiles: ReadonlySet<string>;
  logger: Logger;
  threads: number | undefined;
  /** Render these pages only. */
  shard: Shard | undefined;
  /** What the last build of this process has left, if there was one. */
  warm?: WarmState | undefined;
  /** Whether Astro has said what loaders warn of. */
  hasWarned: boolean;
  /** Called before pages are rendered, unless threads render them: generators may start meanwhile. */
  onAlone?: (known: Pick<BeginFilesOptions, 'isReliable' | 'areThere' | 'changes'>) => void;
  /** Whether this is Astro's process: all is rendered, and what the bundle can't do by itself is left to Astro. */
  isAstros: boolean;
}

export interface RenderedSite {
  /** Of this build; still to be committed. */
  state: BuildState;
  updated: UpdatedPages;
  /** What has become of products; undefined when everything may be another. */
  changes: ProductIndexChanges | undefined;
  warm: WarmState;
}

/**
 * Finds the pages that may have changed since the last build and renders them: all of a build but what stands beside its
 * pages. When the last build has come to its end and nothing but products has changed since, it looks at no other pages
 * than those that may show one of them.
 * @throws SortimentError BUNDLE_INCOMPATIBLE when the bundle can't do it. Other errors are those of pages.
 */
export async function renderSite(settings: Settings, options: RenderSiteOptions): Promise<RenderedSite> {
  const { bundle, snapshot, products, manifest, previous, publicFiles, logger, threads, shard, warm, isAstros } =
    options;
  const { distFolder } = settings;
  const { bundleFolder } = buildPaths(settings);
  const { changes } = products;
  const warn = (message: string): void => logger.warn(message);
  const { loaded, provided, digests, areCached } = await currentCollections(settings, {
    snapshot,
    cursor: changes.cursor,
    kept: warm ?? readCollections(bundleFolder),
    ofProject: bundle.collections,
    warn: options.hasWarned ? () => undefined : warn,
  });
  const onSlow = slowReporter(warn);
  const renderer = warm?.renderer ?? (await openBundle(bundleFolder, bundle.state, { onLog: warn, onSlow }));
  const finder = openPageFinder(renderer, {
    bundle: bundle.state,
    siteUrl: settings.siteUrl,
    productIndex: products.productIndex,
    readProduct: products.readProduct,
    readTranscript: products.readTranscript,
    provided: provideCollections(provided, products.productIndex),
    publicFiles,
    isAstros,
  });
  try {
    const { find } = finder;
    const productIndex = products.productIndex();
    const languages = languageCodes(snapshot, settings.options);
    // A process that goes on building has seen them.
    const isWhole = previous.complete && (warm !== undefined || looksWhole(manifest, distFolder, languages, previous));
    const isSame =
      previous.collections?.['episodes'] === digests['episodes'] &&
      !changes.everything &&
      changes.productGroups.size === 0;
    const recorder = await renderer.openRecorder();
    const episodeProducts = (isSame ? previous.episodeProducts : undefined) ?? recorder.episodeProducts();
    const { asked } = manifest;
    const now = { collections: digests, episodeProducts, changes, productIndex, asked, recorder, load: renderer.load };
    const rendersAll = isAstros || shard !== undefined;
    const chosen = rendersAll ? undefined : await chooseScope({ ...previous, complete: isWhole }, now);
    const found = await lookForPages(find, {
      scope: chosen?.scope,
      isOfNoUse: async () =>
        !rendersAll && (await isManifestUseless(manifest, { previous, distFolder, productIndex, find })),
      pack: () => batchAll(productIndex, languages, threads),
      productIndex,
    });
    const { scope, batches } = found;
    logger.debug(scope ? `${found.paths.length} pages are looked at` : 'All pages are looked at');
    const paths = shard ? found.paths.filter(({ file }) => isInShard(file, shard)) : found.paths;
    const others = manifest.othersOf(scope?.routes ?? []);
    if (scope) checkPlaces(paths, scope, { others, manifest });
    // A process that goes on building has compared some before.
    if (!warm && !rendersAll) await checkSamples(paths, manifest, distFolder);
    const state: BuildState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      productIndex: changes.to,
      collections: digests,
      episodeProducts,
      turn: (previous.turn ?? 0) + 1,
    };
    const isReliable = isOf(previous, state) && previous.complete;
    // The files of all other pages aren't looked at either.
    const areThere = isWhole && scope !== undefined;
    const updated = await updatePages({
      paths,
      routes: found.routes,
      changed: chosen?.changed ?? [],
      areAll: scope === undefined,
      areThere,
      fromScratch: batches !== undefined || rendersAll,
      gone: scope ? [...scope.gone, ...findGone(scope, paths, { others, manifest })] : [],
      known: others,
      manifest,
      state,
      writer: options.writer,
      describe: describePages(settings, snapshot, productIndex),
      onProgress: progressReporter('pages', (message) => logger.info(message)),
      renderMany: renderMany(
        { settings, bundleFolder, state: bundle.state, collections: provided },
        {
          threads,
          batches,
          onAlone: () => options.onAlone?.({ isReliable, areThere, changes: scope && changes }),
          warn,
          onSlow,
          debug: (message) => logger.debug(message),
          findPages: async (left) => {
            productIndex.readAhead();
            return (await find(scopeOf(left))).paths;
          },
        },
      ),
    });
    // A process that goes on building has them in memory. Another one finds the older ones here, and loads what has changed.
    if (!areCached && !warm) await cacheCollections(bundleFolder, loaded);
    return { state, updated, changes: scope && changes, warm: { renderer, ...loaded } };
  } finally {
    finder.close();
  }
}

interface FoundWork {
  /** What is looked at; undefined for everything. */
  scope: Scope | undefined;
  /** Where next to everything is rendered from scratch, what threads find and render. */
  batches: Batch[] | undefined;
  /** All else that is looked at. */
  paths: readonly PagePath[];
  /** What was read to find pages. */
  routes: FoundPages['routes'];
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
    /** Whether nothing of the last build is of use, and it is worth knowing. */
    isOfNoUse: () => Promise<boolean>;
    pack: () => Batch[] | undefined;
    productIndex: ProductIndex;
  },
): Promise<FoundWork> {
  const found = scope && (await find({ ...scope, withCrossReferenced: true }, scope.routes));
  if (found && !found.isUnclear) return { scope, batches: undefined, ...found };
  const batches = (await isOfNoUse()) ? pack() : undefined;
  if (!batches) productIndex.readAhead();
  return { scope: undefined, batches, ...(await find(batches && NO_BATCHES)) };
}

/** Whether next to nothing can be left alone, so that it isn't worth comparing. */
async function isManifestUseless(
  manifest: BuildManifest,
  now: {
    previous: BuildState;
    distFolder: string;
    productIndex: ProductIndex;
    find: PageFinder['find'];
  },
): Promise<boolean> {
  if (!manifest.hasKeys()) return true;
  if (!now.previous.complete) return false;
  if (isMostlyGone(manifest, now.distFolder)) return true;
  const samples = now.productIndex.samples(3);
  const { paths } = await now.find(scopeOf([{ products: samples, productGroups: [] }]));
  const files = new Set(
    samples.map(({ data }) => outputFile(placeOf(productPath(data.pageLanguage, data.slug)), 'page')),
  );
  const pages = paths.filter(({ file }) => files.has(file));
  // Some products may have changed, but hardly just these: something does that all pages show.
  return pages.length > 0 && !pages.some((page) => isStill(page, manifest));
}

/** What the last build has left of pages. */
interface KnownPages {
  /** Those of the routes in the scope that are not about a product or a family, by their files. */
  others: ReadonlyMap<string, KnownPage>;
  manifest: BuildManifest;
}

/** Of two pages in one place, one may be of a route that wasn't asked. */
function checkPlaces(paths: readonly PagePath[], { routes }: Scope, { others, manifest }: KnownPages): void {
  for (const { file, route } of paths) {
    if (others.has(file)) continue;
    const known = manifest.routeOf(file) ?? route;
    if (known !== route && !routes.includes(known)) throw incompatibleBundle(`two routes generate ${file}`);
  }
}

/** Pages that are no more, besides those of products: of lists that have become shorter, of posts, of the journal. */
function findGone({ productGroups }: Scope, paths: readonly PagePath[], { others, manifest }: KnownPages): string[] {
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...productGroups]
    .map(splitPlace)
    .flatMap(({ language, rest }) => manifest.filesBelow(fileAt(familyPath(language, rest)).replace(/\/$/, '')));
  return [...lists, ...others.keys()].filter((file) => !present.has(file));
}

/** Where next to all pages have changed, it would take long to find one that has not. */
const SAMPLES_TRIED = 50;

/**
 * Renders two pages that should be as they are, one of them a product's, and compares: the bundle and what Astro's
 * internals give it may not fit.
 */
async function checkSamples(paths: readonly PagePath[], manifest: BuildManifest, distFolder: string): Promise<void> {
  const isThere = ({ file }: PagePath): boolean => existsSync(path.join(distFolder, file));
  const findUnchanged = (pages: readonly PagePath[]): PagePath | undefined =>
    pages.slice(0, SAMPLES_TRIED).find((page) => isThere(page) && isStill(page, manifest));
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
      throw incompatibleBundle(`it gives another ${sample.file}`);
  }
}

/** Whether a page would read what it has read. */
function isStill({ file, keyNow }: PagePath, manifest: BuildManifest): boolean {
  const trace = manifest.page(file)?.trace;
  return trace !== undefined && trace.key === keyNow(trace);
}
