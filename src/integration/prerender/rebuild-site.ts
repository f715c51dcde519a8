import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { familyPath, productPath } from '../../catalogue/addresses/paths.ts';
import type { Settings } from '../../config/index.ts';
import { BUILD_HOST, siteLanguages, type IndexedPage, type RenderScope } from '../../loaders/index.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { tellProgress } from '../tell-progress.ts';
import { openBundle, type BundleRenderer } from './astro-internals.ts';
import { buildPlaces } from './build-places.ts';
import { chooseScope, splitPlace, type Scope } from './choose-scope.ts';
import { describeFrame } from './describe-frame.ts';
import { describePages } from './describe-page.ts';
import { filesIn, siteFiles } from './files-in.ts';
import { finishBuild } from './finish-build.ts';
import { areCurrent, keepCollections, readCollections, type KeptCollections } from './keep-collections.ts';
import type { KeptBundle } from './kept-bundle.ts';
import { loadCollections } from './load-collections.ts';
import { isThere } from './is-there.ts';
import { looksWhole } from './looks-whole.ts';
import { openBuildHost } from './open-catalogue-host.ts';
import { outputFile } from './output-file.ts';
import { findLedger, type FileReferences, type LedgerState, type PageLedger } from './page-ledger.ts';
import { noteScope } from './note-scope.ts';
import { openPageWriter } from './page-writer.ts';
import { NO_PARCELS, packAll, scopeOf, type Parcel } from './parcels.ts';
import { placeError } from './place-error.ts';
import { provideCollections } from './provide-collections.ts';
import { readBytes } from './read-bytes.ts';
import { refuseImages } from './refuse-images.ts';
import { renderMany } from './render-crew.ts';
import { requestFor } from './request-path.ts';
import { unfitBundle } from './unfit-bundle.ts';
import { updatePages, type PagePath } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

export interface RebuildOptions {
  bundle: KeptBundle;
  /** Of the snapshot. */
  digest: string | undefined;
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
  const { bundle, digest, logger, threads, warm, freshSinceMs } = options;
  const { distFolder } = settings;
  const { ledgerFile, bundleFolder } = buildPlaces(settings);
  const ledger = findLedger(ledgerFile);
  const previous = ledger?.state();
  if (
    !ledger ||
    previous?.fingerprint !== bundle.fingerprint ||
    previous.distFolder !== distFolder ||
    !previous.others
  ) {
    ledger?.close();
    throw unfitBundle('the build that kept it has not come to its end');
  }
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  const products = openBuildHost(settings);
  try {
    const lacking = findLacking(settings, previous.others);
    if (lacking !== undefined) throw unfitBundle(`${lacking} is gone from ${distFolder}`);
    const kept = warm ?? readCollections(bundleFolder);
    const known = kept && areCurrent(kept, snapshot) ? kept : undefined;
    const warnings = [...(known?.warnings ?? [])];
    const provided = await loadCollections(settings, (message) => void warnings.push(message), known?.collections);
    // Of a fresh bundle, Astro has said it.
    if (freshSinceMs === undefined) for (const message of warnings) logger.warn(message);
    const loaded = { mark: products.changes.mark, collections: new Map(provided), warnings };
    for (const [collection, entries] of Object.entries(bundle.collections)) provided.set(collection, entries);
    const frame = describeFrame(snapshot, provided);
    const languages = siteLanguages(snapshot, settings.options).map(({ code }) => code);
    // A process that goes on building has seen them.
    const isWhole = previous.complete && (warm !== undefined || looksWhole(ledger, distFolder, languages));
    let scope = chooseScope(
      { ...previous, complete: isWhole },
      { frame, changes: products.changes, listing: products.listing() },
    );
    const { host, scope: lookedAt } = noteScope(
      {
        listing: products.listing,
        readProduct: products.readProduct,
        provided: provideCollections(provided, products.listing),
      },
      undefined,
    );
    globalThis[BUILD_HOST] = host;
    refuseImages(() => unfitBundle('pages show images that Astro makes'));
    const renderer = warm?.renderer ?? (await openBundle(bundleFolder, bundle.state, tellLogger(logger)));
    /** @returns The pages of what is looked at, and whether places depend on that of which the ledger doesn't know it. */
    const look = async (now: RenderScope | undefined): Promise<{ paths: PagePath[]; isUnclear: boolean }> => {
      lookedAt.now = now;
      lookedAt.wasAsked();
      let isUnclear = false;
      const paths = await findPaths(renderer, settings, (route) => {
        const wasAsked = lookedAt.wasAsked();
        isUnclear ||= wasAsked && !OF_PRODUCTS.test(route);
      });
      return { paths, isUnclear };
    };
    let parcels: Parcel[] | undefined;
    if (!scope.shelves) {
      const isOfNoUse =
        !ledger.hasKeys() ||
        (previous.complete && isMostlyGone(ledger, distFolder)) ||
        (previous.complete &&
          previous.frame !== frame &&
          (await showsOther(products.listing().sample(), look, ledger)));
      parcels = isOfNoUse ? packAll(products.listing(), languages, threads) : undefined;
    }
    if (!scope.shelves && !parcels) products.listing().readAhead();
    const { shelves } = scope;
    let found = await look(shelves ? { ...scope, shelves, withEntwined: true } : parcels && NO_PARCELS);
    if (shelves && found.isUnclear) {
      scope = { products: [], shelves: undefined, gone: [] };
      found = await look(undefined);
    }
    const { paths } = found;
    // A process that goes on building has compared some before.
    if (!warm) await checkSamples(paths, ledger, distFolder);
    const writer = openPageWriter(distFolder, freshSinceMs);
    const state: LedgerState = {
      fingerprint: bundle.fingerprint,
      distFolder,
      complete: false,
      frame,
      listing: products.changes.to,
    };
    const updated = await updatePages({
      paths,
      areAll: scope.shelves === undefined,
      anew: parcels !== undefined,
      gone: [...scope.gone, ...findGone(scope, paths, ledger)],
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
          unpack: async (left) => {
            products.listing().readAhead();
            return (await look(scopeOf(left))).paths;
          },
        },
      ),
    });
    if (host.storeWasRead) throw unfitBundle("a page reads Astro's content store itself, which isn't kept");
    await finishBuild(settings, {
      ledger,
      state,
      updated,
      host: products,
      changes: scope.shelves && products.changes,
      writer,
      digest,
      logger,
      others: previous.others,
    });
    if (!known) await keepCollections(bundleFolder, loaded);
    return { pages: ledger.countPages(), warm: { renderer, ...loaded } };
  } finally {
    globalThis[BUILD_HOST] = undefined;
    products.close();
    snapshot.close();
    ledger.close();
  }
}

/** Routes whose pages the ledger knows as those of a product or a family. */
const OF_PRODUCTS = /^src\/pages\/\[language\]\/(p|products\/\[family\])\//;

async function findPaths(
  renderer: BundleRenderer,
  { root, siteUrl }: Settings,
  onRoute: (route: string) => void,
): Promise<PagePath[]> {
  const publicFiles = new Set(filesIn(path.join(root, 'public')));
  const paths = (await renderer.paths(undefined, onRoute)).flatMap(
    ({ pathname, type, component, cacheKey, routeData }) => {
      const file = outputFile(pathname, type);
      if (file === undefined) throw unfitBundle(`${pathname} is not for it to render`);
      if (publicFiles.has(file)) return [];
      const render = async () => {
        const bytes = await renderer
          .render(requestFor(pathname, type, siteUrl), routeData)
          .then(readBytes)
          .catch((error: unknown) => {
            throw placeError(error, component);
          });
        if (bytes === undefined) throw unfitBundle(`${pathname} is no page`);
        return bytes;
      };
      return { file, cacheKey, render };
    },
  );
  const twice = [...Map.groupBy(paths, ({ file }) => file)].find(([, same]) => same.length > 1);
  if (twice) throw unfitBundle(`two pages are to be ${twice[0]}`);
  return paths;
}

const SAMPLES = 40;

/** Whether most of what the last build has made is there no more. */
function isMostlyGone(ledger: PageLedger, distFolder: string): boolean {
  const samples = ledger.sample(SAMPLES);
  return samples.filter(([file, bytes]) => !isThere(distFolder, file, bytes)).length * 2 > samples.length;
}

/** Whether a product's page shows something else although nobody says so of the product: then all of them do. */
async function showsOther(
  sample: IndexedPage | undefined,
  look: (scope: RenderScope) => Promise<{ paths: readonly PagePath[] }>,
  ledger: PageLedger,
): Promise<boolean> {
  if (!sample) return false;
  const { paths } = await look(scopeOf([{ products: [sample], shelves: [] }]));
  const file = outputFile(productPath(sample.data.pageLanguage, sample.data.slug), 'page');
  const page = paths.find((found) => found.file === file);
  return page !== undefined && ledger.page(page.file)?.key !== page.cacheKey;
}

/** Pages that are no more, besides those of products: of lists that have become shorter, of posts, of the journal. */
function findGone({ shelves }: Scope, paths: readonly PagePath[], ledger: PageLedger): string[] {
  // Where all pages were looked at, the ledger tells by itself.
  if (!shelves) return [];
  const present = new Set(paths.map(({ file }) => file));
  const lists = [...shelves]
    .map(splitPlace)
    .flatMap(({ language, rest }) => ledger.filesBelow(familyPath(language, rest).replaceAll(/^\/|\/$/g, '')));
  return [...lists, ...ledger.otherFiles()].filter((file) => !present.has(file));
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
function findLacking({ root, distFolder }: Settings, { assets }: FileReferences): string | undefined {
  const files = [...assets.map((place) => place.slice(1)), ...siteFiles(path.join(root, 'public'))];
  return files.find((file) => !existsSync(path.join(distFolder, file)));
}
