import { fileURLToPath } from 'node:url';
import type { SitemapOptions } from '@astrojs/sitemap';
import type { AstroConfig, AstroIntegration, AstroIntegrationLogger } from 'astro';
import { resolveSettings, type Options, type Settings } from '../config/index.ts';
import { BUILD_HOST, contentDates } from '../loaders/index.ts';
import { openSnapshot } from '../snapshot/index.ts';
import { astroSettings } from './astro-settings.ts';
import { countPages } from './count-pages.ts';
import { serveCatalogue } from './dev/serve-catalogue.ts';
import { shareUpstreams } from './dev/share-upstreams.ts';
import { readState } from './read-state.ts';
import { hushNow, hushPages } from './hush-astro.ts';
import { keepOffNetwork } from './keep-off-network.ts';
import { forgetBuilds, prerenderInBulk, whyStockLoop, type BulkBuild, type BuiltPages } from './prerender/index.ts';
import { openProductReader, type ProductReader } from './prerender/open-product-reader.ts';
import { sitemapOptions } from './prerender/sitemap-options.ts';
import { finishSite } from './site/finish-site.ts';
import { surveyPages } from './site/survey-pages.ts';
import { ensureSnapshot, openUpstreams } from './upstreams/index.ts';

export interface Catalogue extends AstroIntegration {
  /** The site's public address, for `site`. */
  site: string;
  /** For `@astrojs/sitemap`, which has to stand behind this integration. */
  sitemap: NonNullable<SitemapOptions>;
}

/**
 * The Astro integration: makes sure there is a snapshot, sets Astro up for its languages, serves both interfaces and
 * the derived files in development, renders a build's pages in bulk, and completes it with images, documents and
 * `build.json`.
 *
 * @param options What `defineConfig` of `src/config` gives.
 * @param root The project's folder.
 */
export function sortiment(options: Options, root: string = process.cwd()): Catalogue {
  keepOffNetwork();
  const settings = resolveSettings(root, options);
  let built: BuiltPages = { heads: new Map(), dates: new Map() };
  // As it was before content was loaded: a sync that commits meanwhile must not pass for what was built.
  let digest: string | undefined;
  let languages: string[] = [];
  let resolved: AstroConfig | undefined;
  let bulk: BulkBuild | undefined;
  let stockReason: string | undefined;
  let reader: ProductReader | undefined;
  let unhush: (() => void) | undefined;
  return {
    name: 'sortiment',
    site: settings.siteUrl,
    sitemap: sitemapOptions(() => built),
    hooks: {
      'astro:config:setup': async ({ command, config, logger, updateConfig }) => {
        if (command === 'preview') return;
        hushNow(logger);
        await ensureSnapshot(settings, logger, command === 'dev' ? shareUpstreams : openUpstreams);
        reader = openProductReader(settings, { keepOpen: command === 'build' });
        globalThis[BUILD_HOST] = { readProduct: reader.read };
        ({ digest, languages } = readState(settings));
        stockReason = whyStockLoop(settings, config);
        updateConfig(astroSettings(settings, languages, { keepsDist: stockReason === undefined }));
      },
      'astro:server:setup': ({ server, logger, refreshContent }) =>
        serveCatalogue({ settings, server, logger, refreshContent }),
      'astro:config:done': ({ config }) => {
        resolved = config;
      },
      'astro:build:start': ({ logger, setPrerenderer }) => {
        unhush = hushPages(logger);
        if (stockReason === undefined && resolved) bulk = prerenderInBulk(settings, { config: resolved, languages });
        else {
          logger.info(`Astro renders each page itself: ${stockReason}.`);
          forgetBuilds(settings);
        }
        setPrerenderer((standard) =>
          bulk ? bulk.start(standard, logger) : countPages(standard, (message) => logger.info(message)),
        );
      },
      'astro:build:generated': () => {
        unhush?.();
        reader?.close();
      },
      'astro:build:done': async ({ dir, logger }) => {
        built = bulk
          ? await bulk.finish(digest, logger)
          : await completeBuild(settings, { distFolder: fileURLToPath(dir), digest, logger });
      },
    },
  };
}

/** After Astro's own loop, which has begun with an empty folder. */
async function completeBuild(
  settings: Settings,
  build: { distFolder: string; digest: string | undefined; logger: AstroIntegrationLogger },
): Promise<BuiltPages> {
  const { distFolder, logger } = build;
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    const survey = await surveyPages(distFolder);
    const { images, documents, missing } = await finishSite(settings, { ...build, survey, snapshot });
    for (const pathname of missing) logger.warn(`${pathname} is linked, but not in the snapshot.`);
    for (const { path, reason } of images.failed) logger.warn(`${path} could not be made: ${reason}.`);
    logger.info(`${images.total} images (${images.made} new), ${documents} documents`);
    return { heads: survey.heads, dates: contentDates(snapshot, settings.options) };
  } finally {
    snapshot.close();
  }
}
