import { getErrorMessage, isSortimentError, SortimentError } from '#contracts/index.ts';

/** A compiled Astro component. */
interface Component {
  (result: AstroResult, props: unknown, slots: unknown): unknown;
  moduleId?: string;
  isAstroComponentFactory?: boolean;
}

export type RenderToString = (
  result: unknown,
  page: Component,
  props: unknown,
  slots: unknown,
  isPage: boolean,
  route: unknown,
) => Promise<string | Response>;

/**
 * Renders a page synchronously where possible.
 *
 * @throws Error if the page needs Astro's renderer.
 */
export type RenderLean = (result: AstroResult, page: Component, props: object) => Promise<string>;

/** Module of a route in the bundle. */
interface BuiltRoute {
  page(): { default?: Component; getStaticPaths?(options: unknown): StaticPath[] | Promise<StaticPath[]> };
}

export interface StaticPath {
  params: Record<string, unknown>;
  props?: object;
}

export interface BundledApp {
  render(request: Request, options: { routeData: unknown }): Promise<Response>;
  /** Caches the paths of routes. */
  routeCache?: { clearAll(): void };
  manifest: {
    routes: { routeData: { component: string } }[];
    /** Keys are files of routes. */
    pageMap: Map<string, () => Promise<BuiltRoute>>;
    i18n?: { locales: unknown[] };
    middleware?(): Promise<{ onRequest?: (context: unknown, next: () => unknown) => unknown }>;
  };
  setInternals(internals: unknown): void;
  setOptions(options: unknown): void;
}

export interface BundlePath {
  pathname: string;
  type: string;
  component: string;
  routeData: unknown;
  /** Props from its route; undefined if unknown. */
  props: object | undefined;
  /** Undefined for pages that Astro has to render. */
  own: PageData | undefined;
}

interface CaughtPages {
  /** Returns a page as text, or Astro's response for anything else. Call it for one page at a time. */
  render(page: BundlePath, makeRequest: () => Request): Promise<string | Response>;
  /** The latest static paths by route file. */
  staticPaths: Map<string, StaticPath[]>;
  takeWays(): RenderCounts;
}

/** Number of pages by a description of how they were rendered. */
export type RenderCounts = ReadonlyMap<string, number>;

/** True if middleware leaves pages alone. Any other middleware may change any page. */
export async function isMiddlewareInert({ manifest }: Pick<BundledApp, 'manifest'>): Promise<boolean> {
  const { onRequest } = (await manifest.middleware?.()) ?? {};
  if (!onRequest) return true;
  const page = {};
  try {
    const result = onRequest(undefined, () => page);
    // Avoids an unhandled rejection: the context is undefined here.
    if (result instanceof Promise) result.catch(() => undefined);
    return result === page;
  } catch {
    return false;
  }
}

/** Returns the parameters and props of a page; undefined if Astro might parse other parameters from the URL. */
export function toPageData(
  pathname: string,
  path: StaticPath | undefined,
  locales: ReadonlySet<unknown>,
): PageData | undefined {
  if (!path || !/^[\w./-]*$/.test(pathname) || !locales.has(pathname.split('/')[1])) return undefined;
  const params: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(path.params)) {
    if (value !== undefined && typeof value !== 'string') return undefined;
    params[name] = value;
  }
  return { params, props: { ...path.props } };
}

/** State of a route. */
interface RouteState {
  page: Component;
  /** Result that Astro created for the latest page. */
  shared?: SharedResult | undefined;
  /** Number of pages that were rendered both ways with equal output. */
  compared: number;
  isSlow: boolean;
  /** True if pages are rendered synchronously where possible. */
  isLean: boolean;
  /** Number of pages that the lean renderer has rejected before any pages were compared. */
  rejected: number;
}

/** Number of initial pages of a route that are rendered both ways. */
const COMPARED_PAGES = 2;
/** Number of rejected pages after which a route is no longer rendered lean. */
const MAX_REJECTED_PAGES = 3;

/**
 * Renders pages of a bundle to text. Astro would encode each page and wrap it in a response with headers and streams,
 * which takes a tenth of the time. Pages of a route share a result if the output is the same.
 */
export function interceptPages(
  app: BundledApp,
  { renderToString, renderLean }: { renderToString: RenderToString; renderLean: RenderLean },
  onSlow: (route: string, difference: string) => void,
): CaughtPages {
  const texts = new WeakMap<Response, string>();
  /** Requests for pages to intercept. */
  const intercepted = new WeakSet<Request>();
  const states = new Map<string, RouteState>();
  const staticPaths = new Map<string, StaticPath[]>();
  let ways = new Map<string, number>();
  const count = (route: string, way: string): void => {
    const name = `${route}: ${way}`;
    ways.set(name, (ways.get(name) ?? 0) + 1);
  };
  const share = (result: AstroResult, state: RouteState, component: string): SharedResult | undefined => {
    if (state.shared || state.isSlow) return undefined;
    try {
      return shareResult(result);
    } catch (error) {
      state.isSlow = true;
      onSlow(component, getErrorMessage(error));
      return undefined;
    }
  };
  const textOf =
    (state: RouteState, route: { component: string }): Component =>
    async (result, props, slots) => {
      const { page } = state;
      if (!intercepted.has(result.request)) return page(result, props, slots);
      const shared = share(result, state, route.component);
      const text = await renderToString(result, page, props, slots, true, route);
      if (typeof text !== 'string') return text;
      const { response } = result;
      // Astro replaces redirects by another page.
      if (response.status >= 300 && response.status < 400) return new Response(text, response);
      state.shared ??= shared;
      intercepted.delete(result.request);
      const placeholder = new Response();
      texts.set(placeholder, text);
      return placeholder;
    };
  const { routes, pageMap } = app.manifest;
  for (const { routeData } of routes) {
    const { component } = routeData;
    const load = pageMap.get(component);
    if (!load) continue;
    let loaded: Promise<BuiltRoute> | undefined;
    const loadOnce = async (): Promise<BuiltRoute> => {
      const module = (await load().catch(throwIncompatible)).page();
      const { default: page, getStaticPaths } = module;
      // Astro caches by module identity.
      const wrapped = { ...module };
      // MDX and HTML pages are functions of another kind, which only Astro's renderers can call.
      if (page?.isAstroComponentFactory) {
        const state: RouteState = { page, compared: 0, isSlow: false, isLean: true, rejected: 0 };
        states.set(component, state);
        // Astro identifies components by properties of their functions.
        wrapped.default = Object.assign(textOf(state, routeData), page);
      }
      if (getStaticPaths)
        wrapped.getStaticPaths = async (options) => {
          const paths = await getStaticPaths(options);
          staticPaths.set(component, paths);
          return paths;
        };
      return { page: () => wrapped };
    };
    pageMap.set(component, () => (loaded ??= loadOnce()));
  }
  const renderByAstro = async (request: Request, routeData: unknown): Promise<string | Response> => {
    intercepted.add(request);
    const response = await app.render(request, { routeData });
    const text = texts.get(response);
    if (text !== undefined) return text;
    // Astro has replaced the response, as it does for error pages. Render it again without interception.
    return intercepted.has(request) ? response : app.render(request, { routeData });
  };
  /** Returns undefined if Astro has to render the page; Astro then reports errors as well. */
  const renderShared = async (
    { pathname, own, routeData, component }: BundlePath & { own: PageData },
    { page, shared, isLean }: RouteState & { shared: SharedResult },
  ): Promise<string | undefined> => {
    try {
      const result = shared.begin(pathname, own);
      const text = await (isLean
        ? renderLean(result, page, own.props)
        : renderToString(result, page, own.props, {}, true, routeData));
      if (typeof text !== 'string' || shared.hasFailed()) throw new Error('page-specific state');
      count(component, isLean ? 'lean' : 'by Astro, sharing');
      return text;
    } catch (error) {
      count(component, `by Astro, because of ${getErrorMessage(error)}`);
      return undefined;
    }
  };
  return {
    staticPaths,
    takeWays: () => {
      const counts = ways;
      ways = new Map();
      return counts;
    },
    render: async (page, makeRequest) => {
      const { component, routeData, own } = page;
      const state = states.get(component);
      if (!own || !state?.shared || state.isSlow) return renderByAstro(makeRequest(), routeData);
      const text = await renderShared({ ...page, own }, { ...state, shared: state.shared });
      const isTrusted = state.compared >= COMPARED_PAGES;
      if (text !== undefined && isTrusted) return text;
      // A failed page may still have pending work on the shared result.
      if (text === undefined) state.shared = undefined;
      const reference = await renderByAstro(makeRequest(), routeData);
      if (isTrusted) return reference;
      if (text === undefined && state.isLean) {
        state.isLean = ++state.rejected < MAX_REJECTED_PAGES;
        return reference;
      }
      state.isSlow = text !== reference;
      state.compared++;
      if (text !== undefined && text !== reference)
        onSlow(component, describeDifference(page.pathname, text, reference));
      return reference;
    },
  };
}

function describeDifference(pathname: string, shared: string, reference: string | Response): string {
  if (typeof reference !== 'string') return `Astro responds to ${pathname} differently`;
  const at = [...reference].findIndex((character, i) => character !== shared[i]);
  return `${pathname} has ${JSON.stringify(reference.slice(at, at + 40))} and not ${JSON.stringify(shared.slice(at, at + 40))}`;
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
export function throwIncompatible(error: unknown): never {
  if (incompatibilityReason(error) !== undefined) throw error;
  throw createIncompatibleError(`its modules can't be loaded (${getErrorMessage(error)})`);
}

/**
 * Render context of Astro for the component of a page. Most of it is equal on all pages of a route. Creating it,
 * including the request, cookies and context, takes a quarter of the time of a page.
 */
export interface AstroResult {
  request: Request;
  response: { status: number; statusText: string; headers: Headers };
  /** Creates the `Astro` of a component; its prototype is that of the page. */
  createAstro(props: object, slots: unknown): object;
}

/** Parameters and props of a page. */
interface PageData {
  params: Readonly<Record<string, string | undefined>>;
  props: object;
}

export interface SharedResult {
  /** Prepares the result for the next page; the previous page must be finished. */
  begin(pathname: string, own: PageData): AstroResult;
  /** True if the page has read page-specific state. Discard its output then. */
  hasFailed(): boolean;
}

/** Members of `Astro` that depend on the route or component, or are set for each page. */
const SHAREABLE = new Set<PropertyKey>(['generator', 'isPrerendered', 'params', 'routePattern', 'site', 'slots']);
const PAGE_KEYS = ['request', 'response', 'cookies', 'actionResult'];

/**
 * Reuses a result for other pages of its route.
 *
 * @param result Must not have been used to render its page yet.
 */
export function shareResult(result: AstroResult): SharedResult {
  const original: Record<string, unknown> = { ...result };
  for (const key of PAGE_KEYS) delete original[key];
  // Copied before the first page changes it.
  const copyOriginal = copierOf(copierOf(original)?.());
  let isGuarded = false;
  let hasFailed = false;
  const reject = (): never => {
    hasFailed = true;
    throw new Error('page-specific state');
  };
  const astro: object = Object.getPrototypeOf(result.createAstro({}, undefined)) ?? {};
  const guard = (): void => {
    const hidden = Reflect.ownKeys(astro).filter((key) => !SHAREABLE.has(key));
    for (const key of hidden) Object.defineProperty(astro, key, { get: reject });
    for (const key of PAGE_KEYS) Object.defineProperty(result, key, { get: reject });
    isGuarded = true;
  };
  return {
    begin: (pathname, { params }) => {
      if (!isGuarded) guard();
      hasFailed = false;
      Object.assign(astro, { params });
      return Object.assign(result, copyOriginal?.(), { pathname, params });
    },
    hasFailed: () => hasFailed,
  };
}

/** Returns a function that copies the mutable collections of a result. List items are shared. */
function copierOf(value: unknown): (() => unknown) | undefined {
  if (value instanceof Set) return () => new Set(value);
  if (Array.isArray(value)) return () => [...(value as unknown[])];
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  const copiers = Object.entries(value).map(([key, inner]: [string, unknown]) => [key, copierOf(inner)] as const);
  return () => {
    const copy: Record<string, unknown> = { ...value };
    for (const [key, copyInner] of copiers) if (copyInner) copy[key] = copyInner();
    return copy;
  };
}
