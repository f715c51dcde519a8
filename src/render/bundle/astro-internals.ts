import { messageOf } from '#contracts/index.ts';
import { hash, webcrypto } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import type { AstroUserConfig } from 'astro';
import { z } from 'zod';
import { incompatibleBundle, whyIncompatible } from './incompatible-bundle.ts';
import { shareResult, type OwnOfPage, type Result, type SharedResult } from './shared-result.ts';

/**
 * The one place that leans on what Astro doesn't promise: how it names files, what is in the bundle that renders
 * pages, and what that bundle asks for. Nothing is taken on trust: what a release of Astro has elsewhere, or asks for
 * besides, makes a bundle incompatible; Astro's own process renders the pages then.
 */

/** What the bundle asks of the build that made it. */
export const bundleState = z.object({
  /** File name of the entry, in the bundle's folder. */
  entry: z.string(),
  /** Page data by key: the stylesheets of each. */
  pages: z.array(
    z.tuple([
      z.string(),
      z.object({ styles: z.array(z.object({ depth: z.number(), order: z.number(), sheet: z.unknown() })) }),
    ]),
  ),
  /** Specifier -> file, of scripts on every page. */
  specifiers: z.array(z.tuple([z.string(), z.string()])),
  scripts: z.array(z.object({ stage: z.string(), content: z.string() })),
});
export type BundleState = z.output<typeof bundleState>;

type BundlePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; transform?: unknown }
>;

/** What Astro compiles a component to. */
interface Component {
  (result: Result, props: unknown, slots: unknown): unknown;
  moduleId?: string;
}

type RenderToString = (
  result: unknown,
  page: Component,
  props: unknown,
  slots: unknown,
  isPage: boolean,
  route: unknown,
) => Promise<string | Response>;

/** A module of the bundle for a route. */
interface BuiltRoute {
  page(): { default?: Component; getStaticPaths?(options: unknown): StaticPath[] | Promise<StaticPath[]> };
}

interface StaticPath {
  params: Record<string, unknown>;
  props?: object;
}

interface BundledApp {
  render(request: Request, options: { routeData: unknown }): Promise<Response>;
  /** Holds the paths of routes. */
  routeCache?: { clearAll(): void };
  manifest: {
    routes: { routeData: { component: string } }[];
    /** By the files of routes. */
    pageMap: Map<string, () => Promise<BuiltRoute>>;
    i18n?: { locales: unknown[] };
    middleware?(): Promise<{ onRequest?: (context: unknown, next: () => unknown) => unknown }>;
  };
  setInternals(internals: unknown): void;
  setOptions(options: unknown): void;
}

/** Folder of the bundle while Astro renders. */
export function bundleFolder(distFolder: string): string {
  return path.join(distFolder, '.prerender');
}

/** The module that holds Astro's content store within a bundle; undefined when there is none. */
export function findStoreModule(folder: string): string | undefined {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    /(^|\/)_astro_data-layer-content[^/]*\.mjs$/.test(file),
  );
}

/**
 * Listens to what the bundle is given when Astro sets it up.
 * @param setUp Astro's own setup.
 * @throws Error when it isn't given that, or hasn't what renders pages: the bundle may not be set up then.
 */
export async function captureBundle(folder: string, setUp: () => Promise<void>): Promise<BundleState> {
  hashAtOnce();
  const entry = readdirSync(folder).find((file) => /^prerender-entry.*\.mjs$/.test(file)) ?? '';
  const { app } = await importBundle(path.join(folder, entry));
  const given: { internals?: unknown; options?: unknown } = {};
  const { setInternals, setOptions } = app;
  app.setInternals = (internals) => {
    given.internals = internals;
    setInternals.call(app, internals);
  };
  app.setOptions = (options) => {
    given.options = options;
    setOptions.call(app, options);
  };
  await setUp();
  const { pagesByKeys, entrySpecifierToBundleMap } = z
    .object({
      pagesByKeys: z.map(z.string(), z.unknown()),
      entrySpecifierToBundleMap: z.map(z.string(), z.string()),
    })
    .parse(given.internals);
  const { settings } = z.object({ settings: z.object({ scripts: bundleState.shape.scripts }) }).parse(given.options);
  return bundleState.parse({
    entry,
    pages: [...pagesByKeys],
    specifiers: [...entrySpecifierToBundleMap],
    scripts: settings.scripts,
  });
}

/**
 * Astro hashes a few short texts for the policy of each page by Web Crypto, which asks another thread every time: that
 * is a tenth of what a page takes. Here the same is calculated at once. @returns Puts back what was there.
 */
export function hashAtOnce(): () => void {
  const { subtle } = webcrypto;
  if (Object.hasOwn(subtle, 'digest')) return () => undefined;
  const digest = subtle.digest.bind(subtle);
  subtle.digest = (algorithm, data) => {
    const name = typeof algorithm === 'string' ? algorithm : algorithm.name;
    if (!/^SHA-(256|384|512)$/.test(name) || data.byteLength > SHORT_BYTES) return digest(algorithm, data);
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return Promise.resolve(new Uint8Array(hash(name, bytes, 'buffer')).buffer);
  };
  return () => void Reflect.deleteProperty(subtle, 'digest');
}

const SHORT_BYTES = 10_000;

export interface BundlePath {
  pathname: string;
  type: string;
  /** File of the route, relative to the project. */
  component: string;
  cacheKey: string | undefined;
  routeData: unknown;
  /** Undefined for what Astro has to render by itself. */
  own: OwnOfPage | undefined;
}

export interface BundleRenderer {
  /** The files of all routes, relative to the project. */
  routes: readonly string[];
  /**
   * The paths of some routes (their files, relative to the project), or of all. Only what was found last can be rendered.
   * @param onRoute Is told of each route when its paths were found.
   */
  paths(routes?: readonly string[], onRoute?: (route: string) => void): Promise<BundlePath[]>;
  /** A page as text, and whatever else Astro answers. One after the other. */
  render(page: BundlePath, makeRequest: () => Request): Promise<string | Response>;
}

export interface OpenBundleOptions {
  /** Is told of what Astro logs meanwhile. */
  onLog(level: string, message: string): void;
  /** Is told of a route whose pages are left to Astro, as they are others when they share a result. */
  onSlow(route: string, difference: string): void;
}

/**
 * Sets up a bundle that another process has made.
 * @throws SortimentError BUNDLE_INCOMPATIBLE
 */
export function openBundle(folder: string, state: BundleState, options: OpenBundleOptions): Promise<BundleRenderer> {
  return importBundle(path.join(folder, state.entry))
    .then((imported) => setUpBundle(imported, state, options))
    .catch(refuseBundle);
}

async function setUpBundle(
  { app, StaticPaths, renderToString }: BundleModule,
  state: BundleState,
  { onLog, onSlow }: OpenBundleOptions,
): Promise<BundleRenderer> {
  app.setInternals(
    onlyKept({
      pagesByKeys: new Map(state.pages.map(([key, page]) => [key, onlyKept(page)])),
      entrySpecifierToBundleMap: new Map(state.specifiers),
    }),
  );
  const destination = { write: ({ level, message }: { level: string; message: string }) => onLog(level, message) };
  app.setOptions(
    onlyKept({
      settings: onlyKept({ scripts: state.scripts }),
      logger: onlyKept({ options: onlyKept({ level: 'warn', destination }) }),
    }),
  );
  const { manifest } = app;
  const all = manifest.routes;
  const { render, staticPaths } = catchPages(app, renderToString, onSlow);
  const canShare = await isWithoutMiddleware(app);
  const locales = new Set(manifest.i18n?.locales);
  return {
    routes: all.map(({ routeData }) => routeData.component),
    paths: async (routes, onRoute) => {
      // What was found before is of another scope, or of an earlier build of this process.
      app.routeCache?.clearAll();
      const found: BundlePath[] = [];
      try {
        for (const route of all) {
          const { component } = route.routeData;
          if (routes && !routes.includes(component)) continue;
          manifest.routes = [route];
          staticPaths.delete(component);
          const paths = readPaths(await new StaticPaths(app).getAll());
          const given = staticPaths.get(component);
          const isShared = canShare && given?.length === paths.length;
          for (const [i, { pathname, route: routeData, cacheKey }] of paths.entries()) {
            const { type } = routeData;
            const own = isShared && type === 'page' ? ownOfPage(pathname, given[i], locales) : undefined;
            found.push({ pathname, type, component, cacheKey, routeData, own });
          }
          onRoute?.(component);
        }
      } finally {
        manifest.routes = all;
      }
      return found;
    },
    render,
  };
}

/** Middleware may do anything with any page. */
async function isWithoutMiddleware({ manifest }: BundledApp): Promise<boolean> {
  const { onRequest } = (await manifest.middleware?.()) ?? {};
  const page = {};
  try {
    return onRequest === undefined || onRequest(undefined, () => page) === page;
  } catch {
    return false;
  }
}

/** Undefined where Astro may make something else of the path: it reads parameters from an address. */
function ownOfPage(
  pathname: string,
  path: StaticPath | undefined,
  locales: ReadonlySet<unknown>,
): OwnOfPage | undefined {
  if (!path || !/^[\w./-]*$/.test(pathname) || !locales.has(pathname.split('/')[1])) return undefined;
  const params: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(path.params)) {
    if (value !== undefined && typeof value !== 'string') return undefined;
    params[name] = value;
  }
  return { params, props: { ...path.props } };
}

/** How pages of a route are rendered. */
interface RouteState {
  page: Component;
  /** What Astro has given the last page that it was asked for. */
  shared?: SharedResult | undefined;
  /** Pages that were rendered both ways and were the same. */
  compared: number;
  isSlow: boolean;
}

/** The first pages of a route are rendered both ways. */
const COMPARED_PAGES = 2;

/**
 * Makes of each page of a bundle a text. Astro would encode it, and put it into a response with headers and streams for
 * nobody: a tenth of what a page takes. Pages of a route share a result where that makes no difference.
 */
function catchPages(
  app: BundledApp,
  renderToString: RenderToString,
  onSlow: OpenBundleOptions['onSlow'],
): Pick<BundleRenderer, 'render'> & { staticPaths: Map<string, StaticPath[]> } {
  const texts = new WeakMap<Response, string>();
  /** Requests whose page is to be caught. */
  const awaited = new WeakSet<Request>();
  const states = new Map<string, RouteState>();
  const staticPaths = new Map<string, StaticPath[]>();
  const share = (result: Result, state: RouteState, component: string): SharedResult | undefined => {
    if (state.shared || state.isSlow) return undefined;
    try {
      return shareResult(result);
    } catch (error) {
      state.isSlow = true;
      onSlow(component, messageOf(error));
      return undefined;
    }
  };
  const textOf =
    (state: RouteState, route: { component: string }): Component =>
    async (result, props, slots) => {
      const { page } = state;
      if (!awaited.has(result.request)) return page(result, props, slots);
      const shared = share(result, state, route.component);
      const text = await renderToString(result, page, props, slots, true, route);
      if (typeof text !== 'string') return text;
      state.shared ??= shared;
      awaited.delete(result.request);
      const answer = new Response();
      texts.set(answer, text);
      return answer;
    };
  const { routes, pageMap } = app.manifest;
  for (const { routeData } of routes) {
    const { component } = routeData;
    const load = pageMap.get(component);
    if (!load) continue;
    let loaded: Promise<BuiltRoute> | undefined;
    const loadOnce = async (): Promise<BuiltRoute> => {
      const module = (await load().catch(refuseBundle)).page();
      const { default: page, getStaticPaths } = module;
      if (!page) return { page: () => module };
      const state: RouteState = { page, compared: 0, isSlow: false };
      states.set(component, state);
      // Astro knows its components by what their functions carry, and what it has found of a module by its identity.
      const ours = { ...module, default: Object.assign(textOf(state, routeData), page) };
      if (getStaticPaths)
        ours.getStaticPaths = async (options) => {
          const paths = await getStaticPaths(options);
          staticPaths.set(component, paths);
          return paths;
        };
      return { page: () => ours };
    };
    pageMap.set(component, () => (loaded ??= loadOnce()));
  }
  const renderByAstro = async (request: Request, routeData: unknown): Promise<string | Response> => {
    awaited.add(request);
    const response = await app.render(request, { routeData });
    const text = texts.get(response);
    if (text !== undefined) return text;
    // Caught, and then answered otherwise, as Astro does for pages outside of all languages: once more without us.
    return awaited.has(request) ? response : app.render(request, { routeData });
  };
  /** Undefined when the page has to be rendered by Astro; an error is Astro's to tell as well. */
  const renderShared = async (
    { pathname, own, routeData }: BundlePath,
    { page, shared }: RouteState,
  ): Promise<string | undefined> => {
    if (!own || !shared) return undefined;
    try {
      const text = await renderToString(shared.begin(pathname, own), page, own.props, {}, true, routeData);
      return typeof text === 'string' && !shared.hasFailed() ? text : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    staticPaths,
    render: async (page, makeRequest) => {
      const { component, routeData, own } = page;
      const state = states.get(component);
      if (!own || !state?.shared || state.isSlow) return renderByAstro(makeRequest(), routeData);
      const text = await renderShared(page, state);
      const isTrusted = state.compared >= COMPARED_PAGES;
      if (text !== undefined && isTrusted) return text;
      // Something of a page that has failed may still be at work on it.
      if (text === undefined) state.shared = undefined;
      const astros = await renderByAstro(makeRequest(), routeData);
      if (isTrusted) return astros;
      state.isSlow = text !== astros;
      state.compared++;
      if (text !== undefined && text !== astros) onSlow(component, describeDifference(page.pathname, text, astros));
      return astros;
    },
  };
}

function describeDifference(pathname: string, ours: string, astros: string | Response): string {
  if (typeof astros !== 'string') return `Astro answers ${pathname} otherwise`;
  const at = [...astros].findIndex((character, i) => character !== ours[i]);
  return `${pathname} has ${JSON.stringify(astros.slice(at, at + 40))} and not ${JSON.stringify(ours.slice(at, at + 40))}`;
}

const foundPaths = z.array(
  z.object({
    pathname: z.string(),
    // Handed back as it is: Astro tells routes by identity.
    route: z.custom<{ type: string }>(isRoute),
    cacheKey: z.string().optional(),
  }),
);

/** Asked a hundred thousand times. */
function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function readPaths(found: unknown): z.output<typeof foundPaths> {
  const read = foundPaths.safeParse(found);
  if (!read.success) throw incompatibleBundle('it names its pages otherwise');
  return read.data;
}

function refuseBundle(error: unknown): never {
  if (whyIncompatible(error) !== undefined) throw error;
  throw incompatibleBundle(`its modules can't be loaded (${messageOf(error)})`);
}

/** What Astro asks of a build besides what is kept of it would be missing on its pages. */
function onlyKept<T extends object>(kept: T): T {
  return new Proxy(kept, {
    get: (target, key) => {
      if (typeof key === 'string' && !(key in target)) throw incompatibleBundle(`Astro asks its build for ${key}`);
      return Reflect.get(target, key) as unknown;
    },
  });
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
  renderToString: z.custom<RenderToString>(isFunction),
});

type BundleModule = z.output<typeof bundleModule>;

async function importBundle(file: string): Promise<BundleModule> {
  const imported = bundleModule.safeParse(await import(pathToFileURL(file).href));
  if (imported.success) return imported.data;
  throw new Error(`it doesn't hand out ${imported.error.issues.map((issue) => issue.path.join('.')).join(', ')}`);
}

/** What Astro's entry doesn't hand out: what finds the paths of its routes, and what renders its pages. */
const HANDED_OUT = {
  StaticPaths: 'astro/runtime/prerender/static-paths.js',
  renderToString: 'astro/runtime/server/index.js',
};

/** Lets the bundle hand out what, taken from Astro, would load most of the bundle a second time. */
export function bundleRenderer(): BundlePlugin {
  return {
    name: 'sortiment:renderer',
    transform: {
      filter: { id: /\/astro\/dist\/entrypoints\/prerender\.js$/ },
      handler: (code) =>
        [
          code,
          ...Object.entries(HANDED_OUT)
            .filter(([, file]) => existsSync(fileURLToPath(import.meta.resolve(file))))
            .map(([name, file]) => `export { ${name} } from '${file}';`),
        ].join('\n'),
    },
  };
}
