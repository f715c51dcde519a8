import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { fileAt } from '#catalogue/addresses/base.ts';
import { familyPath } from '#catalogue/addresses/paths.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { RenderScope } from '#catalogue/port/render-context.ts';
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
import type { BeginFilesOptions } from './begin-files.ts';
import { openPageFinder, type FoundPages, type PageFinder } from './find-pages.ts';
import { isOf, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import { isMostlyGone, looksWhole } from './manifest/looks-intact.ts';
import { isStill } from './manifest/trace.ts';
import type { Batch } from './render-job.ts';
import { openRenderPool, slowReporter } from './render-pool.ts';
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
 * pages. When the last build has come to its end and nothing but products has changed since, and not most of them, it
 * looks at no other pages than those that may show one of them.
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
    provided,
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
      // A process that goes on building has compared some before.
      if (!warm && !rendersAll) await checkSamples(found, manifest, distFolder);
    };
    const found =
      (chosen?.scope && (await findInScope(find, chosen.scope))) ??
      (await findAll(find, {
        batches: rendersAll ? [] : batchAll(productIndex, { languages, threads, changed: changes.products }),
        manifest,
        previous,
        productIndex,
        check,
      }));
    const { scope, batches } = found;
    logger.debug(scope ? `${found.paths.length} pages are looked at` : 'All pages are looked at');
    const paths = shard ? found.paths.filter(({ file }) => isInShard(file, shard)) : found.paths;
    const others = manifest.othersOf(scope?.routes ?? []);
    if (scope) checkPlaces(paths, scope, { others, manifest });
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
    const isReliable = isOf(previous, state) && previous.complete;
    // The files of all other pages aren't looked at either.
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
      describe: describePages(settings, snapshot, productIndex),
      onProgress: progressReporter('pages', (message) => logger.info(message)),
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
          findPages: async (left) => {
            productIndex.readAhead();
            // The pages of all other routes have been found.
            return (await find(scopeOf(left), asked.scopedRoutes())).paths;
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

interface FoundWork extends Omit<FoundPages, 'isUnclear'> {
  /** What is looked at; undefined for everything. */
  scope: Scope | undefined;
  /** Where `paths` were found. */
  lookedIn: RenderScope | undefined;
  /** All other pages, which threads find, compare and render; none where they don't pay. */
  batches: readonly Batch[];
  /** Whether next to nothing can be left alone, so that it isn't worth comparing. */
  fromScratch: boolean;
}

/** Undefined when it isn't clear what depends on the scope. */
async function findInScope(find: PageFinder['find'], scope: Scope): Promise<FoundWork | undefined> {
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
    /** Of pages that were found last. */
    check: (paths: readonly PagePath[]) => Promise<void>;
  },
): Promise<FoundWork> {
  const { manifest, productIndex } = known;
  const all = { scope: undefined, batches };
  if (batches.length === 0) {
    productIndex.readAhead();
    return { ...all, lookedIn: undefined, fromScratch: false, ...(await find(undefined)) };
  }
  const fromScratch = !manifest.hasKeys() || (previous.complete && isMostlyGone(manifest, previous.distFolder));
  if (!fromScratch) await check(await findSamples(find, known));
  return { ...all, lookedIn: NO_BATCHES, fromScratch, ...(await find(NO_BATCHES)) };
}

/** Pages of products from all over. */
async function findSamples(
  find: PageFinder['find'],
  { manifest, productIndex }: { manifest: BuildManifest; productIndex: ProductIndex },
): Promise<readonly PagePath[]> {
  const products = productIndex.samples(3);
  return (await find(scopeOf([{ products, productGroups: [] }]), manifest.asked.scopedRoutes())).paths;
}

/** What the last build has left of pages. */
interface KnownPages {
  /** Files of the scope's routes that are not about a product or a family. */
  others: ReadonlySet<string>;
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
  return [...lists, ...others].filter((file) => !present.has(file));
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
    pages.slice(0, SAMPLES_TRIED).find((page) => isThere(page) && isStill(manifest.knownFile(page.file), page.keyNow));
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
