import { mkdirSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { AstroConfig, AstroIntegrationLogger, AstroPrerenderer, PathWithRoute } from 'astro';
import { renderContext, type RenderContext } from '#catalogue/port/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { messageOf } from '#contracts/index.ts';
import { readBytes } from '#files/encode-text.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { progressReporter } from '#generated/report-progress.ts';
import { describePages } from '#generated/sitemaps/describe-pages.ts';
import type { ProductReaders } from '#product-index/product-readers.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { bundleFolder, captureBundle, readAllCollections, type BundleState } from './bundle/astro-internals.ts';
import { keepSiteFiles } from './adopt-bundle.ts';
import { cacheBundle } from './bundle/cached-bundle.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { sealFingerprint, type SealedFingerprint } from './bundle/seal-fingerprint.ts';
import { noteUncacheable } from './bundle/uncacheable-bundle.ts';
import { ownCollections } from './collections/own-collections.ts';
import { provideCollections } from './collections/provide-collections.ts';
import { describePageChrome } from './describe-page-chrome.ts';
import { findForeign } from './find-foreign.ts';
import { BUILD_FILE, finishBuild, newFiles, scanFiles } from './finish-build.ts';
import { openManifest, type BuildState, type BuildManifest } from './manifest/build-manifest.ts';
import { outputFile } from './output-file.ts';
import { locateError } from './locate-error.ts';
import { prerenderMode } from './prerender-mode.ts';
import { renderMany, slowReporter } from './render-pool.ts';
import { requestFor, requestPath } from './request-path.ts';
import { SHARD_FILE, SHARD_MANIFEST } from './shard-files.ts';
import { isInShard } from './shard.ts';
import { updatePages, type UpdatedPages, type PagePath } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>;

/** A build with Vite whose pages are rendered in bulk. */
export interface BulkBuild {
  start(standard: AstroPrerenderer, logger: Logger): AstroPrerenderer;
  finish(digest: string | undefined, logger: Logger): Promise<void>;
}

/** What images become that Astro makes smaller itself. */
const ASTRO_IMAGE = /\.(avif|gif|jpe?g|png|tiff|webp)$/;

/**
 * Begins a build: call it before Vite writes anything.
 * @param given The resolved configuration, the languages that are built, and what pages read products from.
 */
export function prerenderInBulk(
  settings: Settings,
  given: {
    config: AstroConfig;
    languages: readonly string[];
    host: ProductReaders;
    productIndex: string;
    sources: SourceCollector;
  },
): BulkBuild {
  const { distFolder } = settings;
  const places = buildPaths(settings);
  const seal = sealFingerprint(settings, given.languages, given.sources);
  const { shard, threads, leftHere } = prerenderMode();
  if (shard) emptyFolder(distFolder);
  const manifest = openManifest(shard ? path.join(distFolder, SHARD_MANIFEST) : places.manifestFile);
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(bundleFolder(distFolder), { recursive: true, force: true });
  const seen: NonNullable<RenderContext['seen']> = new Map();
  const writer = openPageWriter(distFolder);
  const begun: { updated?: UpdatedPages; state?: BuildState; isKept?: boolean; uncaptured?: string } = {};
  const keep = (
    state: BundleState | undefined,
    sealed: SealedFingerprint,
    unable: string | undefined,
    logger: Logger,
  ): void => {
    const { root } = settings;
    const why =
      unable ??
      leftHere ??
      (state
        ? keepOrSay({
            ...sealed,
            root,
            state: { ...state, unrecorded: sealed.sources.unrecorded },
            collections: ownCollections(settings.options, seen),
            ownBase: settings.ownBase,
          })
        : begun.uncaptured);
    begun.isKept = why === undefined;
    if (why === undefined) return;
    noteUncacheable(places.bundleFolder, { ...sealed, why, lasts: unable !== undefined, ownBase: settings.ownBase });
    logger.info(`The next build will need Vite too: ${why}.`);
  };
  const keepOrSay = (kept: Parameters<typeof cacheBundle>[2]): string | undefined => {
    try {
      cacheBundle(places.bundleFolder, bundleFolder(distFolder), kept);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  return {
    start: (standard, logger) => {
      let bundle: BundleState | undefined;
      // Others may want to be told of all pages at the end.
      const findsAll = findForeign(given.config) !== undefined;
      const prerenderer = bulkPrerenderer(standard, {
        siteUrl: settings.siteUrl,
        publicFolder: path.join(settings.root, 'public'),
        findsAll,
        update: async (all) => {
          const paths = shard ? all.filter(({ file }) => isInShard(file, shard)) : all;
          const started = performance.now();
          const onProgress = progressReporter('pages', (message) => logger.info(message));
          const warn = (message: string): void => logger.warn(message);
          const debug = (message: string): void => logger.debug(message);
          const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
          const pageChrome = describePageChrome(snapshot, seen);
          const sealed = seal(ownCollections(settings.options, seen));
          const { fingerprint } = sealed;
          const state = { fingerprint, distFolder, complete: false, pageChrome, productIndex: given.productIndex };
          const task = bundle && { settings, bundleFolder: bundleFolder(distFolder), state: bundle, collections: seen };
          const updated = await updatePages({
            paths,
            areAll: true,
            gone: [],
            manifest,
            state,
            writer,
            describe: describePages(settings, snapshot, given.host.productIndex()),
            onProgress,
            ...(task && { renderMany: renderMany(task, { threads, warn, onSlow: slowReporter(warn), debug }) }),
          });
          snapshot.close();
          begun.updated = updated;
          begun.state = state;
          const seconds = ((performance.now() - started) / 1000).toFixed(1);
          logger.info(
            `${updated.rendered} pages and feeds rendered in ${seconds} s, ${updated.written} are new or changed`,
          );
          if (shard) return new Set(all.map(({ file }) => file));
          keep(bundle, sealed, whyUncacheable(given.config, manifest, updated.empty), logger);
          return new Set(manifest.known().keys());
        },
      });
      return {
        ...prerenderer,
        setup: async () => {
          given.host.productIndex().readAhead();
          // Product group by product group, which Astro's store is not.
          const provided = provideCollections(new Map(), given.host.productIndex);
          renderContext.current = { ...renderContext.current, seen, provided };
          let settingUp: Promise<void> | undefined;
          const setUp = (): Promise<void> => (settingUp ??= Promise.resolve(standard.setup?.()));
          bundle = await captureBundle(bundleFolder(distFolder), setUp).catch((error: unknown) => {
            begun.uncaptured = `its bundle is another than expected (${messageOf(error)})`;
            return undefined;
          });
          await setUp();
          if (bundle) await readAllCollections(bundleFolder(distFolder), bundle);
        },
      };
    },
    finish: async (digest, logger) => {
      const { updated, state } = begun;
      if (!updated || !state) throw new Error('Astro has not rendered any page.');
      if (!shard) {
        const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
        await finishBuild(settings, {
          manifest,
          state,
          updated,
          host: given.host,
          snapshot,
          changes: undefined,
          writer,
          digest,
          logger,
          others: undefined,
        }).finally(snapshot.close);
        if (begun.isKept) keepSiteFiles(settings, writer.begunMs);
      } else {
        // What all pages together need is made when the shards are merged.
        const others = await scanFiles(distFolder, newFiles(settings, writer.begunMs));
        const pages = manifest.countPages();
        manifest.commit({ ...state, others, complete: true });
        writeFileSync(path.join(distFolder, BUILD_FILE), `${JSON.stringify({ digest, pages })}\n`);
        writeFileSync(
          path.join(distFolder, SHARD_FILE),
          `${JSON.stringify({ ...shard, ownBase: settings.ownBase })}\n`,
        );
        writer.close();
      }
      manifest.close();
    },
  };
}

function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== '.git') rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Why a later build can't do with this bundle what Astro does, as the end of a sentence. */
function whyUncacheable(config: AstroConfig, manifest: BuildManifest, empty: number): string | undefined {
  const foreign = findForeign(config);
  if (foreign !== undefined) return `${foreign} may have its part in every build`;
  if (empty > 0) return 'some paths are no pages';
  const images = manifest.references().assets.filter((asset) => ASTRO_IMAGE.test(asset));
  return images.length > 0 ? 'pages show images that Astro makes' : undefined;
}

/** Updates the pages, and gives the files of those that are as they should be now. */
type UpdateAll = (paths: readonly PagePath[]) => Promise<ReadonlySet<string>>;

interface BulkOptions {
  siteUrl: string;
  publicFolder: string;
  /** Whether Astro is to go through the pages as well that are rendered already. */
  findsAll: boolean;
  update: UpdateAll;
}

/**
 * Renders with the standard prerenderer, but before Astro's own loop, which then has nothing left to render or write.
 * What can't be done in bulk (redirects, names that addresses can't hold, what `public/` has as well) is left to it.
 */
function bulkPrerenderer(
  standard: AstroPrerenderer,
  { siteUrl, publicFolder, findsAll, update }: BulkOptions,
): AstroPrerenderer {
  const done = new Set<string>();
  return {
    ...standard,
    name: 'sortiment:bulk',
    getStaticPaths: async () => {
      const found = await standard.getStaticPaths();
      const byFile = new Map<string, PagePath & { pathname: string }>();
      const toPage = ({ pathname, route }: PathWithRoute): PagePath[] => {
        const file = outputFile(pathname, route.type);
        if (file === undefined || byFile.has(file) || existsSync(path.join(publicFolder, file))) return [];
        const render = async () => {
          try {
            const request = requestFor(pathname, route.type, siteUrl);
            const result = await standard.render(request, { routeData: route });
            const bytes = await readBytes(result instanceof Response ? result : result.response);
            return { bytes, trace: undefined };
          } catch (error) {
            throw locateError(error, route.component);
          }
        };
        const page = {
          file,
          route: route.component,
          keyNow: () => undefined,
          pathname: requestPath(pathname, route.type, siteUrl),
          render,
        };
        byFile.set(file, page);
        return [page];
      };
      const files = await update(found.flatMap(toPage));
      for (const { file, pathname } of byFile.values()) if (files.has(file)) done.add(pathname);
      if (findsAll) return found;
      return found.filter(({ pathname, route }) => !files.has(outputFile(pathname, route.type) ?? ''));
    },
    render: async (request, options) =>
      done.has(new URL(request.url).pathname) ? new Response(undefined) : standard.render(request, options),
  };
}
