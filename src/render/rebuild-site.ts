import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { fileAt, placeOf } from '#catalogue/addresses/base.ts';
import { familyPath, productPath } from '#catalogue/addresses/paths.ts';
import type { Settings } from '#config/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import type { IndexedPage, Listing } from '#product-index/index.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { tellProgress } from '#generated/report-progress.ts';
import { hashAtOnce, openBundle, type BundleRenderer } from './bundle/astro-internals.ts';
import { buildPlaces } from '#config/build-paths.ts';
import { chooseScope, type Scope } from './choose-scope.ts';
import { splitPlace } from '#product-index/update-listing.ts';
import { currentCollections } from './collections/current-collections.ts';
import { describeFrame } from './describe-page-chrome.ts';
import { describePages } from '#generated/sitemaps/describe-pages.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageFinder, type PageFinder } from './find-pages.ts';
import { finishBuild } from './finish-build.ts';
import { keepCollections, readCollections, type KeptCollections } from './collections/cached-collections.ts';
import type { KeptBundle } from './bundle/cached-bundle.ts';
import { isMostlyGone, looksWhole } from './manifest/looks-intact.ts';
import { openBuildHost } from '#product-index/product-readers.ts';
import { outputFile } from './output-file.ts';
import { findLedger, isOf, type LedgerState, type PageLedger } from './manifest/build-manifest.ts';
import type { FileReferences } from '#generated/scan/scan-text.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { NO_PARCELS, packAll, scopeOf } from './batches.ts';
import type { Parcel } from './render-job.ts';
import { provideCollections } from './collections/provide-collections.ts';
import { refuseImages } from './refuse-images.ts';
import { renderMany } from './render-pool.ts';
import { unfitBundle } from './bundle/incompatible-bundle.ts';
import { updatePages, type PagePath } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

export interface RebuildOptions {
  bundle: KeptBundle;
  /** Of the snapshot. */
  digest: string | undefined;
  /** The snapshot, where it is open already; it stays so. */
  lent?: Snapshot | undefined;
  logger: Logger;
  threads: number | undefined;
  /** What the last build of this process has left, if there was one. */
  warm?: WarmState | undefined;
  /** Where Astro has made the bundle just now for this build: when it began to write. */
  freshSinceMs?: number | undefined;
}

/** What the next build of the same process can go on with. */
export interface WarmState extends KeptCollections {
  renderer: BundleRenderer;
}

export interface Rebuilt {
  /** Of the site. */
  pages: number;
  warm: WarmState;
}

/**
 * Builds from the snapshot with a kept bundle, without Vite and Astro's build. When the last build has come to its end
 * and nothing but products has changed since, it looks at no other pages than those that may show one of them.
 * @throws SortimentError KEPT_BUNDLE_UNFIT when the bundle can't do it: build with Vite then. Other errors are those
 *   of pages, which Vite would only run into as well.
 */
export async function rebuildSite(settings: Settings, options: RebuildOptions): Promise<Rebuilt> {
  process.env['NODE_ENV'] ??= 'production';
  const { bundle, digest, lent, logger, threads, warm, freshSinceMs } = options;
  const { distFolder } = settings;
  const { bundleFolder } = buildPlaces(settings);
  const { ledger, previous, others } = openOwnLedger(settings, bundle);
  const snapshot = lent ?? openSnapshot(settings.snapshotPath, { readOnly: true });
  const products = openBuildHost(settings, snapshot);
  let finder: PageFinder | undefined;
  const putBack: (() => void)[] = [];
  try {
    const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
    const lacking = findLacking(distFolder, others, publicFiles);
    if (lacking !== undefined) throw unfitBundle(`${lacking} is gone from ${distFolder}`);
    const { loaded, provided, areKept } = await currentCollections(settings, {
      snapshot,
      mark: products.changes.mark,
      kept: warm ?? readCollections(bundleFolder),
      ofProject: bundle.collections,
      // Of a fresh bundle, Astro has said it.
      warn: (message) => (freshSinceMs === undefined ? logger.warn(message) : undefined),
    });
    const frame = describeFrame(snapshot, provided);
    putBack.push(
      hashAtOnce(),
      refuseImages(() => unfitBundle('pages show images that Astro makes')),
    );
    const renderer = warm?.renderer ?? (await openBundle(bundleFolder, bundle.state, tellLogger(logger)));
    finder = openPageFinder(renderer, {
      siteUrl: settings.siteUrl,
      listing: products.listing,
      readProduct: products.readProduct,
      provided: provideCollections(provided, products.listing),
      publicFiles,
    });
    const { find } = finder;
    const languages = languageCodes(snapshot, settings.options);
    // A process that goes on building has seen them.
    const isWhole = previous.complete && (warm !== undefined || looksWhole(ledger, distFolder, languages, previous));
    const { scope, parcels, paths } = await lookForPages(find, {
      scope: chooseScope(
        { ...previous, complete: isWhole },
        {
          frame,
          collections: loaded.id,
          changes: products.changes,
          listing: products.listing(),
          routes: renderer.routes,
        },
      ),
      isOfNoUse: () => isLedgerOfNoUse(ledger, { previous, frame, distFolder, listing: products.listing(), find }),
      pack: () => packAll(products.listing(), languages, threads),
      listing: products.listing(),
    });
    if (scope) checkPlaces(paths, scope, ledger);
    // A process that goes on building has compared some before.
    if (!warm) await checkSamples(paths, ledger, distFolder);
    const writer = openPageWriter(distFolder, freshSinceMs);
    const state: LedgerState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      frame,
      listing: products.changes.to,
      collections: loaded.id,
      turn: (previous.turn ?? 0) + 1,
    };
    const updated = await updatePages({
      paths,
      areAll: scope === undefined,
      anew: parcels !== undefined,
      gone: scope ? [...scope.gone, ...findGone(scope, paths, ledger)] : [],
      ledger,
      state,
      writer,
      describe: describePages(settings, snapshot, products.listing()),
      onProgress: tellProgress('pages', (message) => logger.info(message)),
      renderMany: renderMany(
        { settings, bundleFolder, state: bundle.state, collections: provided },
        {
          threads,
          parcels,
          warn: (message) => logger.warn(message),
          unpack: async (left) => {
            products.listing().readAhead();
            return (await find(scopeOf(left))).paths;
          },
        },
      ),
    });
    if (finder.storeWasRead()) throw unfitBundle("a page reads Astro's content store itself, which isn't kept");
    await finishBuild(settings, {
      ledger,
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
    if (!areKept) await keepCollections(bundleFolder, loaded);
    return { pages: ledger.countPages(), warm: { renderer, ...loaded } };
  } finally {
    for (const put of putBack) put();
    finder?.close();
    products.close();
    if (!lent) snapshot.close();
    ledger.close();
  }
}

/** The ledger, if it is of the build that has kept the bundle. */
function openOwnLedger(
  settings: Settings,
  bundle: KeptBundle,
): { ledger: PageLedger; previous: LedgerState; others: FileReferences } {
  const ledger = findLedger(buildPlaces(settings).ledgerFile);
  const previous = ledger?.state();
  const isOwn = isOf(previous, { fingerprint: bundle.fingerprint, distFolder: settings.distFolder });
  if (ledger && isOwn && previous.others) return { ledger, previous, others: previous.others };
  ledger?.close();
  throw unfitBundle('the build that kept it has not come to its end');
}

interface FoundWork {
  /** What is looked at; undefined for everything. */
  scope: Scope | undefined;
  /** Where next to everything is rendered anew, what threads find and render. */
  parcels: Parcel[] | undefined;
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
    listing,
  }: {
    scope: Scope | undefined;
    /** Whether nothing of the last build is of use. */
    isOfNoUse: () => Promise<boolean>;
    pack: () => Parcel[] | undefined;
    listing: Listing;
  },
): Promise<FoundWork> {
  const found = scope && (await find({ ...scope, withEntwined: true }, scope.routes));
  if (found && !found.isUnclear) return { scope, parcels: undefined, paths: found.paths };
  const parcels = (await isOfNoUse()) ? pack() : undefined;
  if (!parcels) listing.readAhead();
  const { paths } = await find(parcels && NO_PARCELS);
  return { scope: undefined, parcels, paths };
}

/** Whether next to nothing can be left alone, so that it isn't worth comparing. */
async function isLedgerOfNoUse(
  ledger: PageLedger,
  now: {
    previous: LedgerState;
    frame: string;
    distFolder: string;
    listing: Listing;
    find: PageFinder['find'];
  },
): Promise<boolean> {
  if (!ledger.hasKeys()) return true;
  if (!now.previous.complete) return false;
  if (isMostlyGone(ledger, now.distFolder)) return true;
  return now.previous.frame !== now.frame && (await showsOther(now.listing.sample(), now.find, ledger));
}

/** Whether a product's page shows something else although nobody says so of the product: then all of them do. */
async function showsOther(
  sample: IndexedPage | undefined,
  find: PageFinder['find'],
  ledger: PageLedger,
): Promise<boolean> {
  if (!sample) return false;
  const { paths } = await find(scopeOf([{ products: [sample], shelves: [] }]));
  const file = outputFile(placeOf(productPath(sample.data.pageLanguage, sample.data.slug)), 'page');
  const page = paths.find((found) => found.file === file);
  return page !== undefined && ledger.page(page.file)?.key !== page.cacheKey;
}

/** Of two pages in one place, one may be of a route that wasn't asked. */
function checkPlaces(paths: readonly PagePath[], { routes }: Scope, ledger: PageLedger): void {
  for (const { file, route } of paths) {
    const known = ledger.routeOf(file) ?? route;
    if (known !== route && !routes.includes(known)) throw unfitBundle(`two routes generate ${file}`);
  }
}

/** Pages that are no more, besides those of products: of lists that have become shorter, of posts, of the journal. */
function findGone({ shelves, routes }: Scope, paths: readonly PagePath[], ledger: PageLedger): string[] {
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...shelves]
    .map(splitPlace)
    .flatMap(({ language, rest }) => ledger.filesBelow(fileAt(familyPath(language, rest)).replace(/\/$/, '')));
  const others = routes.flatMap((route) => ledger.otherFiles(route));
  return [...lists, ...others].filter((file) => !present.has(file));
}

function tellLogger(logger: Logger): (level: string, message: string) => void {
  return (level, message) => {
    if (level === 'warn' || level === 'error') logger.warn(message);
  };
}

/**
 * Renders two pages that should be as they are, one of them a product's, and compares: the bundle and what Astro's
 * internals give it may not fit.
 */
async function checkSamples(paths: readonly PagePath[], ledger: PageLedger, distFolder: string): Promise<void> {
  const unchanged = paths.filter(({ file, cacheKey }) => cacheKey !== undefined && ledger.page(file)?.key === cacheKey);
  const samples = [unchanged[Math.floor(unchanged.length / 2)], unchanged.find(({ file }) => file.includes('/p/'))];
  for (const sample of samples) {
    if (!sample) continue;
    const file = path.join(distFolder, sample.file);
    const bytes = await sample.render();
    if (bytes && existsSync(file) && !readFileSync(file).equals(bytes))
      throw unfitBundle(`it gives another ${sample.file}`);
  }
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
