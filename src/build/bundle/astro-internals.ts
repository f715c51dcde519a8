/*
 * Dependencies on Astro's internals are confined to this file: file names, the contents of the bundle that renders
 * pages, and the build options it reads. Everything is validated. If a release of Astro changes any of it, the bundle
 * becomes incompatible and Astro's own process renders the pages.
 */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import type { AstroUserConfig } from 'astro';
import { z } from 'zod';
import { getErrorMessage, isSortimentError, SortimentError } from '#contracts/index.ts';
import { UNTRACKED_READ, type RecordedReads } from '#catalogue/site/tracked-queries.ts';
import { sitePath } from '#catalogue/addresses/site-paths.ts';
import type { createReadRecorder } from '#catalogue/site/read-recorder.ts';
import {
  isMiddlewareInert,
  leanRoute,
  type MiddlewareLoader,
  type PageComponent,
  type PageParams,
} from './lean-pages.ts';

export const bundleState = z.object({
  entry: z.string(),
  /** Page data by key: the stylesheets of each page. */
  pages: z.array(
    z.tuple([
      z.string(),
      z.object({ styles: z.array(z.object({ depth: z.number(), order: z.number(), sheet: z.unknown() })) }),
    ]),
  ),
  /** Maps specifiers to files, for scripts on every page. */
  specifiers: z.array(z.tuple([z.string(), z.string()])),
  scripts: z.array(z.object({ stage: z.string(), content: z.string() })),
  /** Route prefix of images that Astro has not optimized yet. */
  imageEndpoint: z.string(),
  /** Files (including routes) with unrecorded reads. */
  unrecorded: z.array(z.string()).default([]),
});
export type BundleState = z.output<typeof bundleState>;

export type VitePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; transform?: unknown }
>;

/** Returns the folder of the bundle during Astro's build. */
export function bundleFolder(distFolder: string): string {
  return path.join(distFolder, '.prerender');
}

/** Finds the module with Astro's content store in a bundle; undefined if there is none. */
export function findStoreModule(folder: string): string | undefined {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    /(^|\/)_astro_data-layer-content[^/]*\.mjs$/.test(file),
  );
}

/** Returns the source of a module that replaces Astro's content store in a bundle. */
export function storeModuleSource(store: string, { entry }: Pick<BundleState, 'entry'>): string {
  const relative = path.posix.relative(path.posix.dirname(store.split(path.sep).join('/')), entry);
  const from = relative.startsWith('.') ? relative : `./${relative}`;
  return `export { collectionStore as default } from ${JSON.stringify(from)};\n`;
}

/** Makes a bundle read all of its collections, so that they are recorded by its build. */
export async function readAllCollections(folder: string, { entry }: Pick<BundleState, 'entry'>): Promise<void> {
  const module = findStoreModule(folder);
  if (module === undefined) return;
  const { readCollection } = await importBundle(path.join(folder, entry));
  const { default: store } = (await import(pathToFileURL(path.join(folder, module)).href)) as { default: unknown };
  for (const name of namesIn(store)) await readCollection(name);
}

/** Returns the collection names of a store, in any of Astro's storage formats. */
function namesIn(stored: unknown): string[] {
  if (stored instanceof Map) return [...stored.keys()].map(String);
  if (!Array.isArray(stored)) return Object.keys(Object(stored));
  // Flattened format: the first value is a map of name and value positions.
  const [, ...positions] = Array.isArray(stored[0]) ? (stored[0] as unknown[]) : [];
  return positions.filter((_, i) => i % 2 === 0).map((position) => String(stored[Number(position)]));
}

/** Values that Astro passes to a bundle at setup. */
const capturedValues = z.object({
  internals: z.object({
    pagesByKeys: z
      .map(z.string(), z.unknown())
      .transform((pages) => [...pages])
      .pipe(bundleState.shape.pages),
    entrySpecifierToBundleMap: z.map(z.string(), z.string()),
  }),
  options: z.object({
    settings: z.object({
      scripts: bundleState.shape.scripts,
      config: z.object({ image: z.object({ endpoint: z.object({ route: z.string() }) }) }),
    }),
  }),
});

function parseCaptured(input: unknown): z.output<typeof capturedValues> {
  const read = capturedValues.safeParse(input);
  if (read.success) return read.data;
  throw new Error(`Astro passes other values for ${read.error.issues.map((issue) => issue.path.join('.')).join(', ')}`);
}

/**
 * Captures the values that Astro passes to a bundle at setup.
 *
 * @param setUp Astro's own setup.
 * @throws Error if the values or the exports of the bundle are not as expected. Don't set up the bundle then.
 */
export async function captureBundle(folder: string, setUp: () => Promise<void>): Promise<BundleState> {
  const entry = readdirSync(folder).find((file) => /^prerender-entry.*\.mjs$/.test(file)) ?? '';
  const { app } = await importBundle(path.join(folder, entry));
  const captured: { internals?: unknown; options?: unknown } = {};
  const { setInternals, setOptions } = app;
  app.setInternals = (internals) => {
    captured.internals = internals;
    setInternals.call(app, internals);
  };
  app.setOptions = (options) => {
    captured.options = options;
    setOptions.call(app, options);
  };
  await setUp();
  const { internals, options } = parseCaptured(captured);
  return {
    entry,
    pages: internals.pagesByKeys,
    specifiers: [...internals.entrySpecifierToBundleMap],
    scripts: options.settings.scripts,
    imageEndpoint: options.settings.config.image.endpoint.route,
    unrecorded: [],
  };
}

export type BundleRenderer = Awaited<ReturnType<typeof setUpBundle>>;

/**
 * Sets up a bundle that another process has built.
 *
 * @param onLog Receives Astro's warnings.
 * @throws SortimentError BUNDLE_INCOMPATIBLE
 */
export function openBundle(
  folder: string,
  state: BundleState,
  onLog: (message: string) => void,
): Promise<BundleRenderer> {
  return importBundle(path.join(folder, state.entry))
    .then((imported) => setUpBundle(imported, state, onLog))
    .catch(throwIncompatible);
}

async function setUpBundle(
  { app, StaticPaths, createReadRecorder, renderLean }: BundleModule,
  state: BundleState,
  onLog: (message: string) => void,
) {
  app.setInternals(
    strictObject({
      pagesByKeys: new Map(state.pages.map(([key, page]) => [key, strictObject(page)])),
      entrySpecifierToBundleMap: new Map(state.specifiers),
    }),
  );
  const destination = { write: ({ message }: { message: string }) => onLog(message) };
  app.setOptions(
    strictObject({
      settings: strictObject({ scripts: state.scripts }),
      logger: strictObject({ options: strictObject({ level: 'warn', destination }) }),
    }),
  );
  const { manifest } = app;
  const all = manifest.routes;
  const { staticPaths, lean } = wrapRoutes(app, renderLean);
  const locales = new Set((await isMiddlewareInert(manifest.middleware)) ? manifest.i18n?.locales : []);
  const unrecorded = new Set(state.unrecorded);
  return {
    /**
     * Finds the paths of some routes (by file, relative to the project), or of all routes. Only the paths of the latest
     * call can be rendered.
     *
     * @param onRoute Called for each route once its paths are found, with the reads that it took.
     */
    paths: async (routes?: readonly string[], onRoute?: (route: string, reads: RecordedReads) => void) => {
      // Cached paths belong to another scope or to an earlier build of this process.
      app.routeCache?.clearAll();
      const found: BundlePath[] = [];
      const recorder = await createReadRecorder();
      try {
        for (const route of all) {
          const { component } = route.routeData;
          if (routes && !routes.includes(component)) continue;
          manifest.routes = [route];
          staticPaths.delete(component);
          const { result, reads } = recorder.record(() => new StaticPaths(app).getAll());
          const paths = readPaths(await result);
          // A route without parameters passes no props.
          const entries = staticPaths.get(component) ?? paths.map((): StaticPath => ({}));
          const hasProps = entries.length === paths.length && !unrecorded.has(component);
          for (const [i, { pathname, route: routeData }] of paths.entries()) {
            const props = hasProps ? { ...entries[i]?.props } : undefined;
            const params = readParams(pathname, locales, entries[i]?.params);
            found.push({ pathname, type: routeData.type, component, routeData, props, params });
          }
          if (unrecorded.has(component)) reads.set(UNTRACKED_READ, '');
          onRoute?.(component, reads);
        }
      } finally {
        manifest.routes = all;
      }
      return found;
    },
    /** Renders a page. Call it for one page at a time. */
    render: async (page: BundlePath, createRequest: () => Request): Promise<string | Response> => {
      const { routeData, component, props, params } = page;
      const render = () => app.render(createRequest(), { routeData });
      const route = lean.get(component);
      return route && props && params ? route.render({ ...page, props, params }, render) : render();
    },
    /** Returns the files of all routes. */
    routes: () => [...manifest.pageMap.keys()],
    /** Loads the modules of routes, and with them the queries of their pages. */
    load: async (routes: Iterable<string>) => {
      for (const route of routes) await manifest.pageMap.get(route)?.();
    },
    createReadRecorder,
  };
}

/** Returns the parameters of a page; undefined if Astro might parse other parameters from the URL. */
function readParams(
  pathname: string,
  locales: ReadonlySet<unknown>,
  given: StaticPath['params'] = {},
): PageParams | undefined {
  if (!/^[\w./-]*$/.test(pathname) || !locales.has(pathname.split('/')[1])) return undefined;
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
  return Object.values(given).every(isText) ? (given as PageParams) : undefined;
}

/** Parts of the routes of an app, by their files. */
interface WrappedRoutes {
  /** Paths that routes return, because Astro doesn't pass on their props. */
  staticPaths: Map<string, readonly StaticPath[]>;
  lean: Map<string, ReturnType<typeof leanRoute>>;
}

/** Wrapped routes by the modules of an app, which several builds of a process share. */
const wrappedRoutes = new WeakMap<object, WrappedRoutes>();

function wrapRoutes({ manifest: { routes, pageMap } }: BundledApp, renderLean: RenderLean): WrappedRoutes {
  const existing = wrappedRoutes.get(pageMap);
  if (existing) return existing;
  const staticPaths: WrappedRoutes['staticPaths'] = new Map();
  const lean: WrappedRoutes['lean'] = new Map();
  wrappedRoutes.set(pageMap, { staticPaths, lean });
  for (const { component } of routes.map(({ routeData }) => routeData)) {
    const load = pageMap.get(component);
    if (!load) continue;
    let loaded: Promise<BuiltRoute> | undefined;
    const loadOnce = async (): Promise<BuiltRoute> => {
      const route = (await load().catch(throwIncompatible)).page();
      const { default: page, getStaticPaths } = route;
      // Astro caches by module identity.
      const wrapped = { ...route };
      if (getStaticPaths)
        wrapped.getStaticPaths = async (options) => {
          const paths = await getStaticPaths(options);
          staticPaths.set(component, paths);
          return paths;
        };
      // MDX and HTML pages are functions of another kind.
      if (page?.isAstroComponentFactory) {
        const leanPages = leanRoute(page, renderLean);
        lean.set(component, leanPages);
        wrapped.default = leanPages.page;
      }
      return { page: () => wrapped };
    };
    pageMap.set(component, () => (loaded ??= loadOnce()));
  }
  return { staticPaths, lean };
}

const foundPaths = z.array(
  z.object({
    pathname: z.string(),
    // Returned as is: Astro compares routes by identity.
    route: z.custom<{ type: string }>(isRoute),
  }),
);

/** A plain check, as it runs a hundred thousand times. */
function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function readPaths(found: unknown): z.output<typeof foundPaths> {
  const read = foundPaths.safeParse(found);
  if (!read.success) throw createIncompatibleError('its list of pages has an unknown format');
  return read.data;
}

/** Throws if Astro reads a property that is not part of the saved state: its value would be missing on pages. */
function strictObject<T extends object>(known: T): T {
  return new Proxy(known, {
    get: (target, key) => {
      if (typeof key === 'string' && !(key in target))
        throw createIncompatibleError(`Astro reads the unknown build option ${key}`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

interface StaticPath {
  params?: Readonly<Record<string, unknown>>;
  props?: object;
}

type RenderLean = typeof import('./lean-runtime.ts').renderLean;

/** Module of a route in the bundle. */
interface BuiltRoute {
  page(): {
    default?: PageComponent;
    getStaticPaths?(options: unknown): readonly StaticPath[] | Promise<readonly StaticPath[]>;
  };
}

interface BundledApp {
  render(request: Request, options: { routeData: unknown }): Promise<Response>;
  routeCache?: { clearAll(): void };
  manifest: {
    routes: { routeData: { component: string } }[];
    /** Keys are files of routes. */
    pageMap: Map<string, () => Promise<BuiltRoute>>;
    i18n?: { locales: unknown[] };
    middleware?: MiddlewareLoader;
  };
  setInternals(internals: unknown): void;
  setOptions(options: unknown): void;
}

export interface BundlePath {
  pathname: string;
  type: string;
  /** File of its route. */
  component: string;
  routeData: unknown;
  /** Props from its route; undefined if unknown. */
  props: object | undefined;
  /** Undefined for pages that Astro has to render. */
  params: PageParams | undefined;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

const bundleModule = z.object({
  app: z.custom<BundledApp>(
    (app) =>
      typeof app === 'object' &&
      app !== null &&
      ['render', 'setInternals', 'setOptions'].every((name) => isFunction(Reflect.get(app, name))),
  ),
  StaticPaths: z.custom<new (app: BundledApp) => { getAll(): Promise<unknown> }>(isFunction),
  createReadRecorder: z.custom<typeof createReadRecorder>(isFunction),
  renderLean: z.custom<RenderLean>(isFunction),
  readCollection: z.custom<(name: string) => Promise<unknown>>(isFunction),
});

type BundleModule = z.output<typeof bundleModule>;

async function importBundle(file: string): Promise<BundleModule> {
  const imported = bundleModule.safeParse(await import(pathToFileURL(file).href));
  if (imported.success) return imported.data;
  throw new Error(`it lacks the exports ${imported.error.issues.map((issue) => issue.path.join('.')).join(', ')}`);
}

/** Exports that Astro's entry lacks: path discovery, the recorder of reads, and the lean renderer. */
const EXTRA_EXPORTS = {
  StaticPaths: 'astro/runtime/prerender/static-paths.js',
  createReadRecorder: '#catalogue/site/read-recorder.ts',
  readCollection: '#catalogue/site/read-collection.ts',
  collectionStore: '#catalogue/site/collection-store.ts',
  renderLean: '#build/bundle/lean-runtime.ts',
};
/** Module that compiled components import. */
const COMPILER_RUNTIME = 'astro/compiler-runtime';
const PRODUCT_COLLECTION = fileURLToPath(import.meta.resolve('#catalogue/site/product-collection.ts'));

/** Adds exports to the bundle that would load most of it a second time if they were imported from Astro. */
export function bundleExportsPlugin(): VitePlugin {
  return {
    name: 'sortiment:renderer',
    transform: {
      filter: { id: /\/astro\/dist\/entrypoints\/prerender\.js$/ },
      handler: (code) =>
        [
          code,
          ...Object.entries(EXTRA_EXPORTS)
            .map(([name, file]) => [name, fileURLToPath(import.meta.resolve(file))] as const)
            .filter(([, file]) => existsSync(file))
            .map(([name, file]) => `export { ${name} } from ${JSON.stringify(file)};`),
        ].join('\n'),
    },
  };
}

/** Replaces Astro's runtime in compiled components with the lean runtime. */
export function leanRuntimePlugin(): VitePlugin {
  return {
    name: 'sortiment:lean',
    transform: {
      filter: { id: /\/astro\/dist\/runtime\/compiler\/index\.js$/ },
      handler: async (_, id) => {
        const names = Object.keys((await import(COMPILER_RUNTIME)) as object);
        return [
          `import * as astro from ${JSON.stringify(`${id}?original`)};`,
          `import { leanRuntime } from ${JSON.stringify(fileURLToPath(import.meta.resolve(EXTRA_EXPORTS.renderLean)))};`,
          `const runtime = leanRuntime({ ${names.map((name) => `${name}: astro.${name}`).join(', ')} });`,
          ...names.map((name) => `export const ${name} = runtime.${name};`),
        ].join('\n');
      },
    },
  };
}

/** Adds the `products` collection to Astro's content store, whichever format it was loaded from. */
export function productStorePlugin(): VitePlugin {
  return {
    name: 'sortiment:products',
    transform: {
      filter: { id: /\/astro\/dist\/content\/data-store\.js$/ },
      handler: (code) => {
        if (!code.includes('ImmutableDataStore.fromMap('))
          throw new Error(
            "Pages can't read products: this release of Astro stores content in another way. Install the one that package.json names.",
          );
        return [
          `import { productCollection } from ${JSON.stringify(PRODUCT_COLLECTION)};`,
          code,
          'const { fromMap } = ImmutableDataStore;',
          `ImmutableDataStore.fromMap = (collections) => fromMap(collections.set('products', productCollection));`,
        ].join('\n');
      },
    },
  };
}

/**
 * Allows pages of the catalogue outside of Astro's language folders. With `prefixDefaultLocale`, Astro's helpers add
 * the language to every URL, but its router would respond with 404 and drop redirects.
 */
export function unprefixedPagesPlugin(): VitePlugin {
  return {
    name: 'sortiment:i18n',
    transform: {
      filter: { id: /\/astro\/dist\/i18n\/router\.js$/ },
      handler: (code) =>
        [
          code,
          'const { match } = I18nRouter.prototype;',
          'I18nRouter.prototype.match = function (pathname, context) {',
          `  const isOfCatalogue = \`\${pathname}/\`.startsWith(${JSON.stringify(sitePath('/'))});`,
          "  return isOfCatalogue ? { type: 'continue' } : match.call(this, pathname, context);",
          '};',
        ].join('\n'),
    },
  };
}

const CODE = 'BUNDLE_INCOMPATIBLE';

/**
 * Creates the error for a bundle that can't render pages without Astro's build.
 *
 * @param reason Worded as the end of a sentence.
 */
export function createIncompatibleError(reason: string): SortimentError {
  return new SortimentError(CODE, `The cached bundle can't be used: ${reason}.`, {
    hint: 'Build with Vite.',
    cause: reason,
  });
}

/** Returns the reason of a BUNDLE_INCOMPATIBLE error; undefined for other errors. */
export function incompatibilityReason(error: unknown): string | undefined {
  return isSortimentError(error) && error.code === CODE ? String(error.cause ?? error.message) : undefined;
}

/** Rethrows an error of loading a bundle as BUNDLE_INCOMPATIBLE. */
function throwIncompatible(error: unknown): never {
  if (incompatibilityReason(error) !== undefined) throw error;
  throw createIncompatibleError(`its modules can't be loaded (${getErrorMessage(error)})`);
}
