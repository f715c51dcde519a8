import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AstroConfig, AstroIntegration, HookParameters } from 'astro';
import { setBasePath, sitePath } from '#catalogue/addresses/site-paths.ts';
import { renderContext } from '#catalogue/site/render-context.ts';
import { resolveSettings, withBasePath, type Options, type Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { CONTENT_POLICY } from '#generated/page-shell.ts';
import { openDevReaders, openUpdatedReaders, type ProductReaders } from '#catalogue/read-model/product-readers.ts';
import { splitGroupKey } from '#catalogue/read-model/update-product-index.ts';
import {
  bundleExportsPlugin,
  leanRuntimePlugin,
  productStorePlugin,
  unprefixedPagesPlugin,
  type VitePlugin,
} from './bundle/astro-internals.ts';
import { collectSources } from './bundle/sources.ts';
import { defaultLoopBuild, exportBundle, planAstroBuild, type AstroBuild } from './astro-build.ts';
import { removeDrafts } from './dev/draft-copies.ts';
import type { Drafts } from './dev/drafts.ts';
import type { ServeCatalogueOptions } from './dev/serve-catalogue.ts';
import { readSnapshotState } from '#catalogue/read-model/with-snapshot.ts';
import { packagePages } from './package-pages.ts';
import { projectFonts, projectPlugins } from './project-plugins.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { shareUpstreams, ensureSnapshot, openUpstreams } from './upstreams/ensure-snapshot.ts';
import { applyLogFilter, disableAstroNetwork, hidePageCount, hidePageLines, hideReferenceErrors } from './astro-log.ts';
import { createRequire } from 'node:module';

export interface Catalogue extends AstroIntegration {
  /** Public URL of the site, for `site`. */
  site: string;
}

/**
 * Creates the Astro integration. It ensures a snapshot, configures Astro for its languages, and serves both interfaces
 * and derived files in development. In a build it renders the pages and generates the remaining files: images,
 * documents, sitemaps and `build.json`.
 *
 * @param options Result of `defineConfig` in `src/config`.
 * @param root Folder of the project.
 */
export function sortiment(options: Options, root: string = process.cwd()): Catalogue {
  disableAstroNetwork();
  let settings = resolveSettings(root, options);
  // Digest before content was loaded, because a concurrent sync may commit another snapshot.
  let digest: string | undefined;
  let languages: string[] = [];
  let createBuild: (() => AstroBuild) | undefined;
  let build: AstroBuild | undefined;
  let products: ProductReaders | undefined;
  const sources = collectSources(settings);
  let restoreLog: (() => void) | undefined;
  let drafts: Drafts | undefined;
  let refresh: ServeCatalogueOptions['refreshContent'];
  return {
    name: 'sortiment',
    site: new URL(settings.siteUrl).origin,
    hooks: {
      'astro:config:setup': async ({ command, config, isRestart, injectRoute, logger, updateConfig }) => {
        if (command === 'preview') return;
        applyLogFilter(logger);
        if (!isRestart) removeDrafts(settings);
        if (config.base !== '/') settings = withBasePath(settings, config.base);
        checkAstroConfig(settings, config);
        const plugins = projectPlugins({ ...options, site: { ...options.site, url: settings.siteUrl } }, root);
        for (const route of packagePages(config.srcDir, settings.options.path)) injectRoute(route);
        setBasePath(settings.base, settings.options.path);
        if (settings.ownBase !== undefined) logger.warn(formatBaseWarning(settings));
        await ensureSnapshot(settings, logger, command === 'dev' ? shareUpstreams : openUpstreams);
        if (command === 'dev' && settings.drafts) {
          // Vite exits before Astro's hooks for the end of the server.
          if (!isRestart) process.once('exit', () => removeDrafts(settings));
          // Loaded on demand because it includes the sync.
          const { openDrafts } = await import('./dev/drafts.ts');
          drafts = await openDrafts(settings, logger, async () => void (await refresh?.({})));
        }
        const shown = drafts?.settings ?? settings;
        ({ digest, languages } = readSnapshotState(shown));
        hideReferenceErrors(logger, (id) => hasProduct(shown, languages, id));
        const plan = command === 'build' ? planAstroBuild(settings, config) : undefined;
        if (!plan) products = openDevReaders(shown, (message) => logger.warn(message));
        else if (plan.request) {
          const { request } = plan;
          createBuild = () => exportBundle(settings, languages, { request, sources });
        } else {
          logger.info(`Astro renders each page itself: ${plan.loopReason}.`);
          const updated = openUpdatedReaders(settings, (message) => logger.warn(message));
          products = updated;
          createBuild = () => defaultLoopBuild(settings, updated, plan);
        }
        renderContext.current = products && {
          snapshotPath: drafts?.settings.snapshotPath,
          productIndex: products.productIndex,
          readProduct: products.readProduct,
          readTranscript: products.readTranscript,
        };
        updateConfig(
          astroSettings(settings, languages, {
            imageRoute: config.image.endpoint.route,
            preservesDist: plan?.emptiesDist === false,
            plugins: [...plugins, ...shareModules(command), sources.plugin],
          }),
        );
      },
      'astro:server:setup': async ({ server, logger, refreshContent }) => {
        // Loaded on demand because it includes image processing.
        const { serveCatalogue } = await import('./dev/serve-catalogue.ts');
        refresh = refreshContent;
        if (drafts) server.middlewares.use(drafts.middleware);
        await serveCatalogue({ settings: drafts?.settings ?? settings, server, logger, refreshContent });
      },
      'astro:build:start': ({ logger, setPrerenderer }) => {
        restoreLog = hidePageLines(logger);
        build = createBuild?.();
        setPrerenderer((standard) => build?.start(standard, logger) ?? standard);
      },
      'astro:build:generated': () => restoreLog?.(),
      'astro:build:done': async ({ dir, logger }) => {
        hidePageCount(logger);
        await build?.finish(fileURLToPath(dir), digest, logger);
        products?.close();
      },
    },
  };
}

/**
 * Rejects settings of Astro that pages can't follow.
 *
 * @throws SortimentError CONFIG_INVALID
 */
function checkAstroConfig({ base, siteUrl, options }: Settings, config: AstroConfig): void {
  const { origin } = new URL(siteUrl);
  const isWholeSite = options.path === '/';
  const problems = [
    config.trailingSlash === 'never' && 'trailingSlash: its pages end with a slash. Set "ignore" or "always"',
    config.build.format !== 'directory' && 'build.format: its pages are folders. Set "directory"',
    isWholeSite &&
      config.i18n !== undefined &&
      'i18n: Sortiment sets it from its languages. Remove it, or set `path` of Sortiment',
    !isWholeSite &&
      base !== '/' &&
      config.base === '/' &&
      `base: the site is at ${siteUrl}. Set "${base.slice(0, -1)}"`,
    !isWholeSite &&
      config.site !== undefined &&
      new URL(config.site).origin !== origin &&
      `site: the catalogue is at ${origin}. Set the same in \`site.url\` of src/sortiment.config.ts or SITE_URL`,
  ].filter((problem) => problem !== false);
  if (problems.length === 0) return;
  throw new SortimentError(
    'CONFIG_INVALID',
    `Sortiment can't use the configuration of Astro:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    { hint: 'Correct the settings named above in astro.config.mjs.' },
  );
}

function formatBaseWarning({ base, siteUrl }: Settings): string {
  return `\`base\` in astro.config.mjs is ${base}, but SITE_URL names another folder. The site is built for ${siteUrl}; set SITE_URL=${siteUrl}, so that syncs and announcements know where it is.`;
}

/** @param id `<language>/<gtin>` */
function hasProduct({ snapshotPath }: Settings, languages: readonly string[], id: string): boolean {
  const { language, rest: gtin } = splitGroupKey(id);
  using snapshot = openSnapshot(snapshotPath, { readOnly: true });
  return languages.includes(language) && snapshot.languagesOf(gtin).length > 0;
}

type ConfigUpdate = Parameters<HookParameters<'astro:config:setup'>['updateConfig']>[0];

/**
 * Returns Astro's configuration for a catalogue. Excludes secrets, because Astro writes it to its caches.
 *
 * @param languages Codes of the languages to build.
 * @param build `keepsDist`: preserves the previous output for an incremental build.
 */
function astroSettings(
  settings: Settings,
  languages: string[],
  { imageRoute, preservesDist, plugins }: { imageRoute: string; preservesDist: boolean; plugins: VitePlugin[] },
): ConfigUpdate {
  const { mainLanguage, path: folder, podcast } = settings.options;
  const vite: ConfigUpdate['vite'] = {
    // Files of builds, syncs and the origin are not sources. Astro reloads an error page whenever a watched file
    // changes, and reading the snapshot touches auxiliary files.
    server: { watch: { ignored: [path.join(settings.home, '**')] } },
    define: { SORTIMENT_BASE: JSON.stringify(settings.base), SORTIMENT_FOLDER: JSON.stringify(sitePath('/')) },
    plugins: [bundleExportsPlugin(), leanRuntimePlugin(), productStorePlugin(), unprefixedPagesPlugin(), ...plugins],
    // Every rendered MDX entry contains a directive of Astro that triggers a warning.
    build: { rolldownOptions: { checks: { moduleLevelDirective: false } }, emptyOutDir: !preservesDist },
  };
  const fonts = projectFonts(settings.options, settings.root);
  if (folder !== '/') return { vite, fonts };
  // Audio that is not mirrored may be on any host.
  const mediaPolicy = podcast.audio === 'link' ? "media-src 'self' https: http:" : undefined;
  return {
    site: new URL(settings.siteUrl).origin,
    base: settings.base,
    trailingSlash: 'always',
    // Astro has already applied the user's `trailingSlash`.
    image: { endpoint: { route: imageRoute.replace(/\/?$/, '/') } },
    fonts,
    // Placed next to the snapshot: a single folder to cache between builds, and not shared with other checkouts.
    cacheDir: pathToFileURL(path.join(settings.home, 'astro', path.sep)),
    vite: { ...vite, cacheDir: path.join(settings.home, 'vite') },
    build: {
      format: 'directory',
      // Astro omits the hashes of inlined MDX stylesheets from the policy.
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

/** Module that pages share with their build. Bundles import it by its public name, wherever they are located. */
const RENDER_CONTEXT = 'sortiment/render-context';
/** Modules from which `content.config.ts` creates collections. */
const COLLECTION_MODULES = ['#build/collections/collections.ts', '#config/index.ts'];
/** Prefix of modules that unbundled code loads from Node. */
const FROM_NODE = '\0sortiment:from-node:';

/**
 * Loads the module that pages share with their build from Node, instead of a copy in the bundle.
 *
 * In a build, Node also loads the modules for collections: having Vite transform hundreds of modules took a third of
 * the time of Astro's process. In development, Vite loads them to detect changes.
 */
export function shareModules(command: 'dev' | 'build' | 'preview' | 'sync'): VitePlugin[] {
  const pageModules = fromNode('render-context', [RENDER_CONTEXT], { isExternal: true });
  return command === 'dev'
    ? [pageModules]
    : [pageModules, fromNode('collections', COLLECTION_MODULES, { isExternal: false })];
}

/**
 * Creates a plugin that loads modules from Node.
 *
 * @param names Specifiers as the project imports them.
 * @param options `isExternal`: bundles import the modules instead of copying them.
 */
function fromNode(title: string, names: readonly string[], { isExternal }: { isExternal: boolean }): VitePlugin {
  const files = new Map(names.map((name) => [fileURLToPath(import.meta.resolve(name)), name]));
  const endings = [...files.keys()].map((file) => RegExp.escape(path.parse(file).name));
  return {
    name: `sortiment:${title}`,
    enforce: 'pre',
    resolveId: {
      filter: { id: new RegExp(`[#/](?:${endings.join('|')})\\.[jt]s$`) },
      handler: async function (source, importer) {
        const isBundle = this.environment.mode === 'build';
        if (isBundle && !isExternal) return null;
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        const name = files.get(resolved?.id ?? '');
        if (resolved === null || name === undefined) return resolved;
        return isBundle ? { id: name, external: true } : `${FROM_NODE}${resolved.id}`;
      },
    },
    load: (id) => {
      const file = id.startsWith(FROM_NODE) ? id.slice(FROM_NODE.length) : '';
      return files.has(file) ? codeFromNode(file) : undefined;
    },
  };
}

/** Returns the source of a module that re-exports what Node has loaded from a file. */
function codeFromNode(file: string): string {
  const loaded: unknown = createRequire(import.meta.url)(file);
  return [
    `import { createRequire } from 'node:module';`,
    `const loaded = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)});`,
    ...Object.keys(Object(loaded)).map((name) =>
      name === 'default' ? 'export default loaded.default;' : `export const ${name} = loaded.${name};`,
    ),
  ].join('\n');
}
