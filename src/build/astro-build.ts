import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroIntegrationLogger, AstroPrerenderer } from 'astro';
import { renderContext, type RenderContext } from '#catalogue/site/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { getErrorMessage } from '#contracts/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { createProgressReporter } from '#generated/generator.ts';
import { scanPage } from '#generated/scan/read-head.ts';
import { createSitemapEntries } from '#generated/sitemaps/sitemap.ts';
import { snapshotLoaders } from './collections/snapshot-loaders.ts';
import type { ProductReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { bundleFolder, captureBundle, createIncompatibleError, readAllCollections } from './bundle/astro-internals.ts';
import { cacheBundle, saveSiteFiles } from './bundle/cached-bundle.ts';
import { type collectSources, fingerprintProject, hasChangedSince } from './bundle/sources.ts';
import { finishBuild, isTextFile, listNewFiles } from './finish-build.ts';
import { openManifest, removeManifest } from './manifest/build-manifest.ts';
import { isInShard, type Shard } from './shard.ts';

/** Request of the build command to the integration, which runs in Astro's process. */
export interface BuildRequest {
  /** Set if Astro's own loop has to render the pages: worded as the end of a sentence. */
  loopReason?: string | undefined;
  emptiesDist: boolean;
  shard: Shard | undefined;
  onBundle(): void;
}

const REQUEST = 'sortiment:request';

/** Passes a request to the integration: as another integration, because Astro passes on nothing else. */
export function requestIntegration(request: BuildRequest): AstroIntegration {
  return { name: REQUEST, hooks: { [REQUEST]: () => request } };
}

type PlannedConfig = Pick<AstroConfig, 'integrations' | 'image' | 'redirects' | 'output' | 'outDir' | 'adapter'>;

/** Chooses the bundle if the build command asks for it and can render the site with it. */
export function planAstroBuild({ distFolder }: Pick<Settings, 'distFolder'>, config: PlannedConfig) {
  const hook = config.integrations.find(({ name }) => name === REQUEST)?.hooks[REQUEST];
  const request = typeof hook === 'function' ? (hook as () => BuildRequest)() : undefined;
  const unsupported = findUnsupported(distFolder, config);
  const loopReason =
    unsupported ??
    (request ? (request.loopReason ?? findForeign(config)) : 'only `npm run build` renders with the bundle');
  return {
    /** Set if only the bundle is built. */
    request: loopReason === undefined ? request : undefined,
    /** Why Astro's own loop renders the pages otherwise, worded as the end of a sentence. */
    loopReason,
    shard: request?.shard,
    /** True if Astro may empty the output folder. */
    emptiesDist: unsupported !== undefined || request?.emptiesDist === true,
  };
}

function findUnsupported(distFolder: string, { output, adapter, outDir }: PlannedConfig): string | undefined {
  if (output !== 'static' || adapter) return 'the site is not static';
  return path.resolve(fileURLToPath(outDir)) === distFolder ? undefined : '`outDir` is not dist/';
}

/** Integrations whose work a build without Astro can reproduce. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx', REQUEST]);

/** Image services whose placeholder URLs are known. */
const KNOWN_IMAGE_SERVICES = new Set(['astro/assets/services/sharp', 'astro/assets/services/noop']);

/** Finds features that only Astro's process can build. */
function findForeign({ integrations, image, redirects }: PlannedConfig): string | undefined {
  const integration = integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name))?.name;
  const { entrypoint } = image.service;
  const foreign = integration ?? (KNOWN_IMAGE_SERVICES.has(entrypoint) ? undefined : entrypoint);
  if (foreign !== undefined) return `${foreign} may change any page`;
  return Object.keys(redirects).length > 0 ? 'Astro renders `redirects`' : undefined;
}

export interface AstroBuild {
  start(standard: AstroPrerenderer, logger: Pick<AstroIntegrationLogger, 'info'>): AstroPrerenderer;
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
 * Creates a build that renders nothing: it caches the bundle for another process, which doesn't need Vite's memory.
 * Call it before Vite reads or writes anything, so that concurrent changes are detected.
 */
export function exportBundle(
  settings: Settings,
  languages: readonly string[],
  { request, sources: collector }: { request: BuildRequest; sources: ReturnType<typeof collectSources> },
): AstroBuild {
  const { root, distFolder } = settings;
  const startedMs = Date.now();
  const before = fingerprintProject(settings, languages);
  const source = bundleFolder(distFolder);
  // Files of a killed build would be mistaken for this bundle.
  rmSync(source, { recursive: true, force: true });
  const { begunMs } = openPageWriter(distFolder);
  const cache = async (standard: AstroPrerenderer): Promise<void> => {
    const recorded: NonNullable<RenderContext['seen']> = new Map();
    renderContext.current = { ...renderContext.current, seen: recorded };
    const state = await captureBundle(source, async () => standard.setup?.());
    await readAllCollections(source, state);
    const loaders = snapshotLoaders(settings.options);
    const collections = new Map([...recorded].filter(([collection]) => !Object.hasOwn(loaders, collection)));
    const sources = collector.collected(collections);
    const isSame = fingerprintProject(settings, languages) === before && !hasChangedSince(root, sources, startedMs);
    // A random fingerprint makes the next build start from the changed sources.
    const fingerprint = isSame ? fingerprintProject(settings, languages, sources) : randomUUID();
    cacheBundle(buildPaths(settings).bundleFolder, source, {
      fingerprint,
      sources,
      root,
      state: { ...state, unrecorded: sources.unrecorded },
      collections,
      ownBase: settings.ownBase,
    });
  };
  return {
    start: (standard) => ({
      ...standard,
      name: 'sortiment:bundle',
      setup: () =>
        cache(standard).catch((error: unknown) => {
          throw createIncompatibleError(getErrorMessage(error));
        }),
      getStaticPaths: () => Promise.resolve([]),
    }),
    finish: async () => {
      const files = listNewFiles(settings, begunMs).filter((file) => file.startsWith('_astro/'));
      saveSiteFiles(buildPaths(settings).bundleFolder, distFolder, files);
      request.onBundle();
    },
  };
}

/**
 * Leaves every page to Astro's own loop. Serves as the reference for other builds and as the fallback for unsupported
 * sites. The next build can't reuse its pages.
 */
export function defaultLoopBuild(
  settings: Settings,
  products: ProductReaders,
  { shard, emptiesDist }: { shard: Shard | undefined; emptiesDist: boolean },
): AstroBuild {
  const { manifestFile } = buildPaths(settings);
  const begunMs = emptiesDist ? 0 : openPageWriter(settings.distFolder).begunMs;
  removeManifest(manifestFile);
  return {
    start: (standard, logger) => countPages(standard, (message) => logger.info(message)),
    finish: async (distFolder, digest, logger) => {
      const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
      const manifest = openManifest(manifestFile);
      const state = { fingerprint: '', distFolder, complete: false };
      const describe = createSitemapEntries(settings, snapshot, products.productIndex());
      const siteSettings = { ...settings, distFolder };
      try {
        manifest.begin(state, 'all');
        manifest.change();
        const otherFiles = new Set(listNewFiles(siteSettings, begunMs));
        const built = filesIn(distFolder, begunMs).filter((file) => isTextFile(file) && !file.startsWith('.'));
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
      removeManifest(manifestFile);
    },
  };
}

/** Wraps the standard prerenderer, and reports progress while it renders. */
function countPages(standard: AstroPrerenderer, report: (message: string) => void): AstroPrerenderer {
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
  };
}
