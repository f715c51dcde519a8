import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroIntegrationLogger } from 'astro';
import { resolveSettings, settingsAt, type Options, type Settings } from '#config/index.ts';
import { useBase } from '#catalogue/addresses/base.ts';
import { BUILD_HOST } from '#catalogue/port/build-host.ts';
import { contentDates } from '#projection/content-dates.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { astroSettings } from './astro-settings.ts';
import { countPages } from './count-pages.ts';
import { serveCatalogue } from './dev/serve-catalogue.ts';
import { shareUpstreams } from './dev/share-upstreams.ts';
import { readState } from '#render/read-state.ts';
import { hushNow, hushPageCount, hushPages } from './silence-astro.ts';
import { readImagePath } from '#generated/images/image-path.ts';
import { precompress, wantsCompressed } from '#generated/hosts/precompress.ts';
import { keepOffNetwork } from './keep-off-network.ts';
import { makeOutputs } from '#generated/index.ts';
import {
  chooseHandOver,
  forgetBuilds,
  handOverBundle,
  prerenderInBulk,
  whyStockLoop,
  type BulkBuild,
} from '#render/index.ts';
import { collectSources } from '#render/bundle/collect-sources.ts';
import { filesIn } from '#files/built-files.ts';
import { openBuildHost, openDevHost, openEmptyHost, type CatalogueHost } from '#product-index/product-readers.ts';
import { provideCollections } from '#render/collections/provide-collections.ts';
import { finishSite } from '#generated/finish-site.ts';
import { surveyPages } from '#generated/scan/scan-pages.ts';
import { writeAllSitemaps } from '#generated/sitemaps/write-all-sitemaps.ts';
import { ensureSnapshot, openUpstreams } from './upstreams/index.ts';

export interface Catalogue extends AstroIntegration {
  /** The site's public address, for `site`. */
  site: string;
}

/**
 * The Astro integration: makes sure there is a snapshot, sets Astro up for its languages, serves both interfaces and
 * the derived files in development, renders a build's pages in bulk, and completes it with what stands beside them,
 * images, documents, sitemaps and `build.json`.
 *
 * @param options What `defineConfig` of `src/config` gives.
 * @param root The project's folder.
 */
export function sortiment(options: Options, root: string = process.cwd()): Catalogue {
  keepOffNetwork();
  let settings = resolveSettings(root, options);
  // As it was before content was loaded: a sync that commits meanwhile must not pass for what was built.
  let digest: string | undefined;
  let languages: string[] = [];
  let resolved: AstroConfig | undefined;
  let bulk: BulkBuild | undefined;
  let stockReason: string | undefined;
  let handOver: ReturnType<typeof chooseHandOver>;
  let products: (CatalogueHost & { changes?: { to: string } }) | undefined;
  const sources = collectSources(settings);
  let unhush: (() => void) | undefined;
  return {
    name: 'sortiment',
    site: new URL(settings.siteUrl).origin,
    hooks: {
      'astro:config:setup': async ({ command, config, logger, updateConfig }) => {
        if (command === 'preview') return;
        hushNow(logger);
        if (config.base !== '/') settings = settingsAt(settings, config.base);
        useBase(settings.base);
        if (settings.ownBase !== undefined) logger.warn(wordOwnBase(settings));
        await ensureSnapshot(settings, logger, command === 'dev' ? shareUpstreams : openUpstreams);
        ({ digest, languages } = readState(settings));
        stockReason = whyStockLoop(settings, config);
        handOver = command === 'build' && stockReason === undefined ? chooseHandOver(config) : undefined;
        handOver?.begin();
        if (handOver) products = openEmptyHost();
        else products = command === 'build' ? openBuildHost(settings) : openDevHost(settings);
        const { listing, readProduct } = products;
        globalThis[BUILD_HOST] = {
          listing,
          readProduct,
          ...(handOver && { provided: provideCollections(new Map(), listing) }),
        };
        updateConfig(
          astroSettings(settings, languages, { keepsDist: stockReason === undefined, plugins: [sources.plugin] }),
        );
      },
      'astro:server:setup': ({ server, logger, refreshContent }) =>
        serveCatalogue({ settings, server, logger, refreshContent }),
      'astro:config:done': ({ config }) => {
        resolved = config;
      },
      'astro:build:start': ({ logger, setPrerenderer }) => {
        unhush = hushPages(logger);
        if (handOver) bulk = handOverBundle(settings, languages, { handOver, sources });
        else if (stockReason === undefined && resolved && products)
          bulk = prerenderInBulk(settings, {
            config: resolved,
            languages,
            host: products,
            listing: products.changes?.to ?? '',
            sources,
          });
        else {
          logger.info(`Astro renders each page itself: ${stockReason}.`);
          forgetBuilds(settings);
        }
        setPrerenderer((standard) =>
          bulk ? bulk.start(standard, logger) : countPages(standard, (message) => logger.info(message)),
        );
      },
      'astro:build:generated': () => unhush?.(),
      'astro:build:done': async ({ dir, logger }) => {
        const distFolder = fileURLToPath(dir);
        if (bulk) {
          hushPageCount(logger);
          await bulk.finish(digest, logger);
        } else if (products) await completeBuild(settings, { distFolder, digest, logger, host: products });
        products?.close();
      },
    },
  };
}

function wordOwnBase({ base, siteUrl }: Settings): string {
  return `\`base\` in astro.config.mjs is ${base}, but SITE_URL names another folder. The site is built for ${siteUrl}; set SITE_URL=${siteUrl}, so that syncs and announcements know where it is.`;
}

/** After Astro's own loop, which has begun with an empty folder. */
async function completeBuild(
  settings: Settings,
  build: { distFolder: string; digest: string | undefined; logger: AstroIntegrationLogger; host: CatalogueHost },
): Promise<void> {
  const { distFolder, digest, logger, host } = build;
  const listing = host.listing();
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    const { heads, ...referred } = await surveyPages(distFolder);
    const beside = await makeOutputs(settings, {
      distFolder,
      host: { listing, readProduct: host.readProduct, snapshot, digest },
      publicFiles: new Set(filesIn(path.join(settings.root, 'public'))),
      warn: (message) => logger.warn(message),
    });
    const known = new Set([...referred.images.map(({ path: place }) => place), ...referred.documents]);
    const isNew = (place: string) => !known.has(place);
    const survey = {
      pages: heads.size,
      previews: referred.previews,
      images: [...referred.images, ...beside.images.filter(isNew).flatMap((place) => readImagePath(place) ?? [])],
      documents: [...referred.documents, ...beside.documents.filter(isNew)],
    };
    const { images, previews, documents, missing } = await finishSite(settings, { ...build, survey, snapshot });
    for (const pathname of missing) logger.warn(`${pathname} is linked, but not in the snapshot.`);
    for (const { path: place, reason } of [...images.failed, ...previews.failed])
      logger.warn(`${place} could not be made: ${reason}.`);
    logger.info(`${images.total} images (${images.made} new), ${documents} documents`);
    await writeAllSitemaps(settings, distFolder, heads, contentDates(snapshot, settings.options, listing));
    if (wantsCompressed(settings.options.host)) await precompress(distFolder);
  } finally {
    snapshot.close();
  }
}
