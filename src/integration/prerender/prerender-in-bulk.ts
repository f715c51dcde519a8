import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { AstroConfig, AstroIntegrationLogger, AstroPrerenderer } from 'astro';
import type { Settings } from '../../config/index.ts';
import { BUILD_HOST, snapshotLoaders, type BuildHost } from '../../loaders/index.ts';
import { tellProgress } from '../tell-progress.ts';
import { bundleFolder, captureState, type BundleState } from './astro-internals.ts';
import { buildPlaces } from './build-places.ts';
import { bulkPrerenderer } from './bulk-prerenderer.ts';
import { fingerprintProject } from './fingerprint-project.ts';
import { finishBuild, finishShard, type BuiltPages } from './finish-build.ts';
import { dropBundle, keepBundle } from './kept-bundle.ts';
import { readLedger, removeLedger, type PageLedger } from './page-ledger.ts';
import { openPageWriter, type PageWriter } from './page-writer.ts';
import { prerenderMode } from './prerender-mode.ts';
import { crewSize, renderInCrew } from './render-crew.ts';
import { isInShard } from './shard.ts';
import { updatePages, type UpdatedPages } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

/** A build with Vite whose pages are rendered in bulk. */
export interface BulkBuild {
  start(standard: AstroPrerenderer, logger: Logger): AstroPrerenderer;
  finish(digest: string | undefined, logger: Logger): Promise<BuiltPages>;
}

/** Integrations whose part a build without Astro can do as well. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx', '@astrojs/sitemap']);
/** What images become that Astro makes smaller itself. */
const ASTRO_IMAGE = /\.(avif|gif|jpe?g|png|tiff|webp)$/;

/**
 * Begins a build: call it before Vite writes anything.
 * @param given The resolved configuration, and the languages that are built.
 */
export function prerenderInBulk(
  settings: Settings,
  given: { config: AstroConfig; languages: readonly string[] },
): BulkBuild {
  const { distFolder } = settings;
  const { ledgerFile, bundleFolder: keptFolder } = buildPlaces(settings);
  const fingerprint = fingerprintProject(settings, given.languages);
  const { shard, threads } = prerenderMode();
  if (shard) {
    removeLedger(ledgerFile);
    emptyFolder(distFolder);
  }
  const previous = shard ? undefined : readLedger(ledgerFile);
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(bundleFolder(distFolder), { recursive: true, force: true });
  const seen: NonNullable<BuildHost['seen']> = new Map();
  const begun: { writer: PageWriter; updated?: UpdatedPages } = { writer: openPageWriter(distFolder) };
  return {
    start: (standard, logger) => {
      const captured: { state?: BundleState } = {};
      const prerenderer = bulkPrerenderer(standard, {
        siteUrl: settings.siteUrl,
        publicFolder: path.join(settings.root, 'public'),
        update: async (all) => {
          const paths = shard ? all.filter(({ file }) => isInShard(file, shard)) : all;
          const { writer } = begun;
          const started = performance.now();
          const onProgress = tellProgress('pages', (message) => logger.info(message));
          const updated = await updatePages({
            paths,
            ledgerFile,
            previous,
            fingerprint,
            distFolder,
            writer,
            onProgress,
            renderMany: async (files, tell) => {
              const size = crewSize(files.length, threads);
              const { state } = captured;
              if (size === 0 || !state) return new Map();
              const task = { settings, bundleFolder: bundleFolder(distFolder), state, collections: seen };
              return renderInCrew(files, size, task, tell);
            },
          });
          begun.updated = updated;
          const seconds = ((performance.now() - started) / 1000).toFixed(1);
          logger.info(
            `${updated.rendered} of ${paths.length} pages and feeds rendered in ${seconds} s, ${updated.written} are new or changed`,
          );
          if (shard) return new Set(all.map(({ file }) => file));
          const problem = captured.state && whyNotKept(settings, given.config, updated.ledger, paths.length);
          try {
            if (problem) throw new Error(problem);
            if (captured.state) keep(captured.state);
          } catch (error) {
            dropBundle(keptFolder);
            logger.info(
              `The next build will need Vite too: ${error instanceof Error ? error.message : String(error)}.`,
            );
          }
          return new Set(updated.ledger.pages.keys());
        },
      });
      const keep = (state: BundleState): void => {
        const ofSnapshot = new Set(Object.keys(snapshotLoaders(settings.options)));
        const collections = new Map([...seen].filter(([collection]) => !ofSnapshot.has(collection)));
        const sitemap = given.config.integrations.some(({ name }) => name === '@astrojs/sitemap');
        keepBundle(keptFolder, bundleFolder(distFolder), { fingerprint, state, collections, sitemap });
      };
      return {
        ...prerenderer,
        setup: async () => {
          globalThis[BUILD_HOST] = { ...globalThis[BUILD_HOST], seen };
          captured.state = await captureState(bundleFolder(distFolder), async () => standard.setup?.());
        },
      };
    },
    finish: async (digest, logger) => {
      const { writer, updated } = begun;
      if (!updated) throw new Error('Astro has not rendered any page.');
      if (shard) return finishShard(settings, { ledger: updated.ledger, writer, digest, shard });
      const isTrusted = previous?.complete && previous.fingerprint === fingerprint;
      return finishBuild(settings, {
        ledger: updated.ledger,
        previous: isTrusted && previous.distFolder === distFolder ? previous : undefined,
        ledgerFile,
        writer,
        digest,
        logger,
        products: seen.get('products'),
        isNewBundle: true,
      });
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
function whyNotKept(
  { root }: Settings,
  { integrations }: AstroConfig,
  { pages }: PageLedger,
  paths: number,
): string | undefined {
  const foreign = integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name));
  if (foreign) return `${foreign.name} may have its part in every build`;
  const hasSitemap = integrations.some(({ name }) => name === '@astrojs/sitemap');
  if (hasSitemap && !readFileSync(path.join(root, 'astro.config.mjs'), 'utf8').includes('sitemap(catalogue.sitemap)'))
    return 'the sitemap has options of its own';
  if (pages.size < paths) return 'some paths are no pages';
  for (const text of new Set([...pages.values()].map(({ references }) => references))) {
    const { assets } = JSON.parse(text) as { assets: string[] };
    if (assets.some((asset) => ASTRO_IMAGE.test(asset))) return 'pages show images that Astro makes';
  }
  return undefined;
}
