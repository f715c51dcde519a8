import path from 'node:path';
import type { AstroConfig } from 'astro';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import type { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { saveSiteFiles, bundleCacher } from './adopt-bundle.ts';
import { defaultLoopBuild, type AstroBuild } from './default-loop.ts';
import { markUnusable, readBundle, type CachedBundle } from './bundle/cached-bundle.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import { createIncompatibleError, incompatibilityReason } from './bundle/intercept-pages.ts';
import { finishBuild } from './finish-build.ts';
import { findForeignIntegration, getPrerenderMode } from './prerender-mode.ts';
import { matchesBuild, openManifest, type BuildManifest } from './manifest/build-manifest.ts';
import { outputFile } from './update-pages.ts';
import { renderSite, type Logger, type RenderedSite } from './render-site.ts';
import { requestUrl } from './find-pages.ts';
import { isInShard } from './shard.ts';

/** Images that Astro has resized. */
const ASTRO_IMAGE = /^\/_astro\/.+\.(avif|gif|jpe?g|png|tiff|webp)$/;

/**
 * Creates a build that renders its pages in Astro's process with the bundle, before Astro's own loop runs. The loop
 * handles what the bundle can't, such as redirects, or all pages if the bundle is incompatible. Call it before Vite
 * writes anything.
 */
export function renderInAstro(
  settings: Settings,
  options: {
    config: AstroConfig;
    languages: readonly string[];
    products: ReturnType<typeof openUpdatedReaders>;
    sources: SourceCollector;
  },
): AstroBuild {
  const { distFolder, siteUrl } = settings;
  const { config, products } = options;
  const { bundleFolder, manifestFile } = buildPaths(settings);
  const { shard, threads, unusable: earlier } = getPrerenderMode();
  const foreign = findForeignIntegration(config);
  const foreignReason = foreign === undefined ? undefined : { why: `${foreign} may affect every build`, lasts: true };
  let unusable = foreignReason ?? earlier;
  const cacheBundle = bundleCacher(settings, options.languages, options.sources, unusable);
  const writer = openPageWriter(distFolder);
  const manifest = openManifest(manifestFile);
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  let rendered: RenderedSite | undefined;
  let loop: AstroBuild | undefined;

  const render = async (logger: Logger): Promise<RenderedSite> => {
    const bundle = readBundle(bundleFolder);
    if (!bundle) throw createIncompatibleError("it can't be read");
    const { fingerprint } = bundle;
    const state = manifest.state();
    const site = await renderSite(settings, {
      bundle,
      snapshot,
      products,
      manifest,
      previous: matchesBuild(state, { fingerprint, distFolder }) ? state : { fingerprint, distFolder, complete: false },
      writer,
      publicFiles: new Set(filesIn(path.join(settings.root, 'public'))),
      logger,
      threads,
      shard,
      hasWarned: true,
      isAstros: true,
    });
    // Each build finds lasting reasons itself. One that this build hasn't found no longer applies.
    unusable = foreignReason ?? findUnusable(manifest, site.updated.empty) ?? (earlier?.lasts ? undefined : earlier);
    return site;
  };

  return {
    start: (standard, logger) => {
      let settingUp: Promise<void> | undefined;
      const setup = (): Promise<void> => (settingUp ??= Promise.resolve(standard.setup?.()));
      const fallBackToLoop = (error: unknown): undefined => {
        const why = incompatibilityReason(error);
        if (why === undefined) throw error;
        logger.warn(`Astro renders each page itself, which takes longer: ${why}.`);
        manifest.close();
        loop = defaultLoopBuild(settings, products, writer.begunMs);
      };
      const done = new Set<string>();
      return {
        ...standard,
        name: 'sortiment:pages',
        setup: async () => {
          await cacheBundle({ setup }).catch(fallBackToLoop);
          await setup();
        },
        getStaticPaths: async () => {
          if (!loop) rendered = await render(logger).catch(fallBackToLoop);
          const found = await standard.getStaticPaths();
          const isRemaining = ({ pathname, route: { type } }: (typeof found)[number]): boolean => {
            const file = outputFile(pathname, type);
            if (!rendered || file === undefined) return true;
            const isInOtherShard = shard !== undefined && !isInShard(file, shard);
            if (!isInOtherShard && !manifest.page(file)) return true;
            done.add(requestUrl(pathname, type, siteUrl).pathname);
            return false;
          };
          const remaining = found.filter(isRemaining);
          // Other integrations may expect all pages at the end.
          return foreign === undefined ? remaining : found;
        },
        render: async (request, options) =>
          done.has(new URL(request.url).pathname) ? new Response(undefined) : standard.render(request, options),
      };
    },
    finish: async (folder, digest, logger) => {
      try {
        if (loop || !rendered) return await loop?.finish(folder, digest, logger);
        const site = { ...rendered, manifest, snapshot, writer, digest, logger, shard };
        const overlays = () => readOverlays(settings.root);
        // Must precede the commit of the manifest.
        await markUnusable(bundleFolder, unusable);
        await finishBuild(settings, { ...site, host: products, overlays, others: undefined });
        if (unusable) logger.info(`The next build will need Vite too: ${unusable.why}.`);
        else saveSiteFiles(settings, writer.begunMs);
      } finally {
        manifest.close();
        snapshot.close();
      }
    },
  };
}

/** Returns the reason why later builds can't do with the bundle what Astro does. */
function findUnusable(manifest: BuildManifest, empty: number): CachedBundle['unusable'] {
  if (empty > 0) return { why: 'some paths have no page', lasts: true };
  const hasImages = manifest.references().some((pathname) => ASTRO_IMAGE.test(pathname));
  return hasImages ? { why: 'pages contain images that Astro resizes', lasts: true } : undefined;
}
