import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroIntegrationLogger, AstroPrerenderer, HookParameters } from 'astro';
import { useBase } from '#catalogue/addresses/base.ts';
import { renderContext } from '#catalogue/port/render-context.ts';
import { shareRenderContext } from './share-render-context.ts';
import { resolveSettings, settingsAt, type Options, type Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { finishSite } from '#generated/finish-site.ts';
import { precompress, wantsCompressed } from '#generated/hosts/precompress.ts';
import { readImagePath } from '#generated/images/image-path.ts';
import { generateFiles } from '#generated/index.ts';
import { CONTENT_POLICY } from '#generated/page-shell.ts';
import { progressReporter } from '#generated/report-progress.ts';
import { scanPages } from '#generated/scan/scan-pages.ts';
import { writeAllSitemaps } from '#generated/sitemaps/write-all-sitemaps.ts';
import {
  openUpdatedReaders,
  openDevReaders,
  openEmptyReaders,
  type ProductReaders,
} from '#product-index/product-readers.ts';
import { contentDates } from '#projection/content-dates.ts';
import { bundleRenderer, leanRenderer } from '#render/bundle/astro-internals.ts';
import { collectSources } from '#render/bundle/collect-sources.ts';
import { provideCollections } from '#render/collections/provide-collections.ts';
import {
  chooseBundleExport,
  forgetBuilds,
  exportBundle,
  prerenderInBulk,
  whyDefaultLoop,
  type BulkBuild,
} from '#render/index.ts';
import { readState } from '#render/read-state.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { serveCatalogue } from './dev/serve-catalogue.ts';
import { shareUpstreams } from './dev/share-upstreams.ts';
import { keepOffNetwork } from './keep-off-network.ts';
import { silenceNow, silencePageCount, silencePages } from './silence-astro.ts';
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
  let defaultLoopReason: string | undefined;
  let bundleExport: ReturnType<typeof chooseBundleExport>;
  let products: (ProductReaders & { changes?: { to: string } }) | undefined;
  const sources = collectSources(settings);
  let restoreLog: (() => void) | undefined;
  return {
    name: 'sortiment',
    site: new URL(settings.siteUrl).origin,
    hooks: {
      'astro:config:setup': async ({ command, config, logger, updateConfig }) => {
        if (command === 'preview') return;
        silenceNow(logger);
        if (config.base !== '/') settings = settingsAt(settings, config.base);
        useBase(settings.base);
        if (settings.ownBase !== undefined) logger.warn(wordOwnBase(settings));
        await ensureSnapshot(settings, logger, command === 'dev' ? shareUpstreams : openUpstreams);
        ({ digest, languages } = readState(settings));
        defaultLoopReason = whyDefaultLoop(settings, config);
        bundleExport = command === 'build' && defaultLoopReason === undefined ? chooseBundleExport(config) : undefined;
        bundleExport?.begin();
        if (bundleExport) products = openEmptyReaders();
        else products = command === 'build' ? openUpdatedReaders(settings) : openDevReaders(settings);
        const { productIndex, readProduct, readTranscript } = products;
        renderContext.current = {
          productIndex,
          readProduct,
          readTranscript,
          ...(bundleExport && { provided: provideCollections(new Map(), productIndex) }),
        };
        updateConfig(
          astroSettings(settings, languages, { keepsDist: defaultLoopReason === undefined, plugins: [sources.plugin] }),
        );
      },
      'astro:server:setup': ({ server, logger, refreshContent }) =>
        serveCatalogue({ settings, server, logger, refreshContent }),
      'astro:config:done': ({ config }) => {
        resolved = config;
      },
      'astro:build:start': ({ logger, setPrerenderer }) => {
        restoreLog = silencePages(logger);
        if (bundleExport) bulk = exportBundle(settings, languages, { bundleExport, sources });
        else if (defaultLoopReason === undefined && resolved && products)
          bulk = prerenderInBulk(settings, {
            config: resolved,
            languages,
            host: products,
            productIndex: products.changes?.to ?? '',
            sources,
          });
        else {
          logger.info(`Astro renders each page itself: ${defaultLoopReason}.`);
          forgetBuilds(settings);
        }
        setPrerenderer((standard) =>
          bulk ? bulk.start(standard, logger) : countPages(standard, (message) => logger.info(message)),
        );
      },
      'astro:build:generated': () => restoreLog?.(),
      'astro:build:done': async ({ dir, logger }) => {
        const distFolder = fileURLToPath(dir);
        if (bulk) {
          silencePageCount(logger);
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
  build: { distFolder: string; digest: string | undefined; logger: AstroIntegrationLogger; host: ProductReaders },
): Promise<void> {
  const { distFolder, digest, logger, host } = build;
  const productIndex = host.productIndex();
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    const { heads, ...referred } = await scanPages(distFolder);
    const beside = await generateFiles(settings, {
      distFolder,
      host: { productIndex, readProduct: host.readProduct, snapshot, digest },
      publicFiles: new Set(filesIn(path.join(settings.root, 'public'))),
      warn: (message) => logger.warn(message),
    });
    const known = new Set([...referred.images.map(({ path: place }) => place), ...referred.documents]);
    const isNew = (place: string) => !known.has(place);
    const scan = {
      pages: heads.size,
      previews: referred.previews,
      images: [...referred.images, ...beside.images.filter(isNew).flatMap((place) => readImagePath(place) ?? [])],
      documents: [...referred.documents, ...beside.documents.filter(isNew)],
    };
    const { images, previews, documents, missing } = await finishSite(settings, { ...build, scan, snapshot });
    for (const pathname of missing) logger.warn(`${pathname} is linked, but not in the snapshot.`);
    for (const { path: place, reason } of [...images.failed, ...previews.failed])
      logger.warn(`${place} could not be made: ${reason}.`);
    logger.info(`${images.total} images (${images.made} new), ${documents} documents`);
    await writeAllSitemaps(settings, distFolder, heads, contentDates(snapshot, settings.options, productIndex));
    if (wantsCompressed(settings.options.host)) await precompress(distFolder);
  } finally {
    snapshot.close();
  }
}

/** Counts what the standard prerenderer renders: tells now and then how far it is, and at the end how long it took. */
function countPages(standard: AstroPrerenderer, report: (message: string) => void): AstroPrerenderer {
  const started = performance.now();
  const progress = progressReporter('pages', report);
  let total = 0;
  let rendered = 0;
  return {
    ...standard,
    getStaticPaths: async () => {
      const paths = await standard.getStaticPaths();
      total = paths.length;
      return paths;
    },
    render: async (request, options) => {
      const result = await standard.render(request, options);
      progress(++rendered, total);
      return result;
    },
    teardown: async () => {
      await standard.teardown?.();
      report(`${rendered} pages and feeds in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    },
  };
}

type ConfigUpdate = Parameters<HookParameters<'astro:config:setup'>['updateConfig']>[0];

type VitePlugins = NonNullable<NonNullable<ConfigUpdate['vite']>['plugins']>;

/**
 * What a catalogue needs of Astro. No secrets: Astro writes the resolved configuration to its caches.
 * @param languages Codes of the languages that are built.
 * @param build `keepsDist`: what was built before stays, for the bulk prerenderer to leave alone or remove.
 */
function astroSettings(
  settings: Settings,
  languages: string[],
  { keepsDist, plugins }: { keepsDist: boolean; plugins: VitePlugins },
): ConfigUpdate {
  const { mainLanguage, podcast } = settings.options;
  // Audio that is not mirrored may be on any host.
  const mediaPolicy = podcast.audio === 'link' ? "media-src 'self' https: http:" : undefined;
  return {
    site: new URL(settings.siteUrl).origin,
    base: settings.base,
    trailingSlash: 'always',
    // Beside the snapshot: one folder to keep between builds, and none shared with another checkout.
    cacheDir: pathToFileURL(path.join(settings.home, 'astro', path.sep)),
    vite: {
      cacheDir: path.join(settings.home, 'vite'),
      // What builds, syncs and the origin keep there is no source. Astro reloads a page that shows an error whenever a
      // watched file changes, and each reading of the snapshot touches files beside it.
      server: { watch: { ignored: [path.join(settings.home, '**')] } },
      define: { SORTIMENT_BASE: JSON.stringify(settings.base) },
      plugins: [shareRenderContext(), bundleRenderer(), leanRenderer(), ...plugins],
      // Astro's own mark in every MDX entry that is rendered; the bundler warns of it each time.
      build: { rolldownOptions: { checks: { moduleLevelDirective: false } }, emptyOutDir: !keepsDist },
    },
    build: {
      format: 'directory',
      // Astro leaves the hashes of stylesheets that it inlines from MDX out of the policy.
      inlineStylesheets: 'never',
    },
    i18n: {
      locales: languages,
      defaultLocale: languages.includes(mainLanguage) ? mainLanguage : (languages[0] ?? mainLanguage),
      routing: { prefixDefaultLocale: true, redirectToDefaultLocale: false, fallbackType: 'redirect' },
    },
    security: {
      csp: {
        algorithm: 'SHA-256',
        directives: [
          ...CONTENT_POLICY.filter((directive) => !mediaPolicy || !directive.startsWith('media-src')),
          ...(mediaPolicy ? ([mediaPolicy] as const) : []),
        ],
      },
    },
  };
}
