import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger, AstroPrerenderer } from 'astro';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { createProgressReporter } from '#generated/generator.ts';
import { scanPage } from '#generated/scan/read-head.ts';
import { createSitemapEntries } from '#generated/sitemaps/sitemap.ts';
import type { ProductReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { finishBuild, isTextFile, listNewFiles } from './finish-build.ts';
import { openManifest, removeManifest } from './manifest/build-manifest.ts';
import { getPrerenderMode } from './prerender-mode.ts';
import { isInShard } from './shard.ts';
import { dropBundle } from './bundle/cached-bundle.ts';

/** A build inside Astro's process: renders the pages, then generates the remaining files. */
export interface AstroBuild {
  start(standard: AstroPrerenderer, logger: Pick<AstroIntegrationLogger, 'info' | 'warn' | 'debug'>): AstroPrerenderer;
  /**
   * @param distFolder Astro's output folder.
   * @param digest Digest of the snapshot that was built.
   */
  finish(
    distFolder: string,
    digest: string | undefined,
    logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>,
  ): Promise<void>;
}

/**
 * Leaves every page to Astro's own loop. Serves as the reference for all other builds and as the fallback for
 * unsupported sites. The next build can't reuse anything of it.
 *
 * @param begunMs Start of the write in milliseconds, if the folder was not empty.
 */
export function defaultLoopBuild(settings: Settings, products: ProductReaders, begunMs = 0): AstroBuild {
  discardBuilds(settings);
  return {
    start: (standard, logger) => countPages(standard, (message) => logger.info(message)),
    finish: async (distFolder, digest, logger) => {
      const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
      const manifest = openManifest(buildPaths(settings).manifestFile);
      const state = { fingerprint: '', distFolder, complete: false };
      const describe = createSitemapEntries(settings, snapshot, products.productIndex());
      const siteSettings = { ...settings, distFolder };
      try {
        manifest.begin(state, 'all');
        manifest.change();
        const otherFiles = new Set(listNewFiles(siteSettings, begunMs));
        const built = filesIn(distFolder, begunMs).filter((file) => isTextFile(file) && !file.startsWith('.'));
        const { shard } = getPrerenderMode();
        for (const file of built.filter((name) => !otherFiles.has(name) && (!shard || isInShard(name, shard)))) {
          const bytes = readFileSync(path.join(distFolder, file));
          const { head, references } = scanPage(file, bytes.toString());
          manifest.put(file, { trace: undefined, bytes: bytes.length, references, sitemap: describe(file, head) });
        }
        await finishBuild(siteSettings, {
          manifest,
          state,
          writer: openPageWriter(distFolder, begunMs),
          digest,
          shard,
          updated: { gone: [], before: undefined, after: undefined, moved: undefined },
          changes: undefined,
          host: products,
          overlays: () => readOverlays(settings.root),
          snapshot,
          logger,
          others: undefined,
        });
      } finally {
        manifest.close();
        snapshot.close();
      }
      discardBuilds(settings);
    },
  };
}

/** Wraps the standard prerenderer, reports progress while it renders, and the duration at the end. */
function countPages(standard: AstroPrerenderer, report: (message: string) => void): AstroPrerenderer {
  const started = performance.now();
  const progress = createProgressReporter('pages', report);
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

/** Makes the next build start from scratch. */
export function discardBuilds(settings: Settings): void {
  const { manifestFile, bundleFolder } = buildPaths(settings);
  removeManifest(manifestFile);
  dropBundle(bundleFolder);
}
