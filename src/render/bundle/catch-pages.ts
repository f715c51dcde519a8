import { messageOf } from '#contracts/index.ts';
import { refuseBundle } from './incompatible-bundle.ts';
import { shareResult, type OwnOfPage, type Result, type SharedResult } from './shared-result.ts';

/** What Astro compiles a component to. */
interface Component {
  (result: Result, props: unknown, slots: unknown): unknown;
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

/** Renders at once what allows for that. @throws Error for what doesn't. */
export type RenderLean = (result: Result, page: Component, props: object) => Promise<string>;

/** A module of the bundle for a route. */
interface BuiltRoute {
  page(): { default?: Component; getStaticPaths?(options: unknown): StaticPath[] | Promise<StaticPath[]> };
}

export interface StaticPath {
  params: Record<string, unknown>;
  props?: object;
}

export interface BundledApp {
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

export interface BundlePath {
  pathname: string;
  type: string;
  /** File of the route, relative to the project. */
  component: string;
  routeData: unknown;
  /** What its route gives it; undefined where that isn't known. */
  props: object | undefined;
  /** Undefined for what Astro has to render by itself. */
  own: OwnOfPage | undefined;
}

interface CaughtPages {
  /** A page as text, and whatever else Astro answers. One after the other. */
  render(page: BundlePath, makeRequest: () => Request): Promise<string | Response>;
  /** What routes have named last, by their files. */
  staticPaths: Map<string, StaticPath[]>;
  takeWays(): WayCounts;
}

/** How many pages were rendered in which way, in words. */
export type WayCounts = ReadonlyMap<string, number>;

/** Middleware may do anything with any page. */
export async function isWithoutMiddleware({ manifest }: Pick<BundledApp, 'manifest'>): Promise<boolean> {
  const { onRequest } = (await manifest.middleware?.()) ?? {};
  if (!onRequest) return true;
  const page = {};
  try {
    const answer = onRequest(undefined, () => page);
    // It wants to know what nobody has asked.
    if (answer instanceof Promise) answer.catch(() => undefined);
    return answer === page;
  } catch {
    return false;
  }
}

/** Undefined where Astro may make something else of the path: it reads parameters from an address. */
export function ownOfPage(
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
  /** Whether pages are rendered at once, as far as they can be. */
  isLean: boolean;
  /** Pages that could not be, before others were compared. */
  refused: number;
}

/** The first pages of a route are rendered both ways. */
const COMPARED_PAGES = 2;
/** After so many that can't be rendered at once, the others of the route are probably like them. */
const REFUSED_PAGES = 3;

/**
 * Makes of each page of a bundle a text. Astro would encode it, and put it into a response with headers and streams for
 * nobody: a tenth of what a page takes. Pages of a route share a result where that makes no difference.
 */
export function catchPages(
  app: BundledApp,
  { renderToString, renderLean }: { renderToString: RenderToString; renderLean: RenderLean },
  onSlow: (route: string, difference: string) => void,
): CaughtPages {
  const texts = new WeakMap<Response, string>();
  /** Requests whose page is to be caught. */
  const awaited = new WeakSet<Request>();
  const states = new Map<string, RouteState>();
  const staticPaths = new Map<string, StaticPath[]>();
  let ways = new Map<string, number>();
  const count = (route: string, way: string): void => {
    const name = `${route}: ${way}`;
    ways.set(name, (ways.get(name) ?? 0) + 1);
  };
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
      const { response } = result;
      // Astro writes another page for a redirect.
      if (response.status >= 300 && response.status < 400) return new Response(text, response);
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
      // Astro knows what it has found of a module by its identity.
      const ours = { ...module };
      // MDX and HTML pages are functions of another kind, which Astro's renderers call.
      if (page?.isAstroComponentFactory) {
        const state: RouteState = { page, compared: 0, isSlow: false, isLean: true, refused: 0 };
        states.set(component, state);
        // And its components by what their functions carry.
        ours.default = Object.assign(textOf(state, routeData), page);
      }
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
    // Astro made another response of it, as it does of its error pages: render it again without catching it.
    return awaited.has(request) ? response : app.render(request, { routeData });
  };
  /** Undefined when the page has to be rendered by Astro; an error is Astro's to tell as well. */
  const renderShared = async (
    { pathname, own, routeData, component }: BundlePath & { own: OwnOfPage },
    { page, shared, isLean }: RouteState & { shared: SharedResult },
  ): Promise<string | undefined> => {
    try {
      const result = shared.begin(pathname, own);
      const text = await (isLean
        ? renderLean(result, page, own.props)
        : renderToString(result, page, own.props, {}, true, routeData));
      if (typeof text !== 'string' || shared.hasFailed()) throw new Error('something of its own in it');
      count(component, isLean ? 'lean' : 'by Astro, sharing');
      return text;
    } catch (error) {
      count(component, `by Astro, as there is ${messageOf(error)}`);
      return undefined;
    }
  };
  return {
    staticPaths,
    takeWays: () => {
      const taken = ways;
      ways = new Map();
      return taken;
    },
    render: async (page, makeRequest) => {
      const { component, routeData, own } = page;
      const state = states.get(component);
      if (!own || !state?.shared || state.isSlow) return renderByAstro(makeRequest(), routeData);
      const text = await renderShared({ ...page, own }, { ...state, shared: state.shared });
      const isTrusted = state.compared >= COMPARED_PAGES;
      if (text !== undefined && isTrusted) return text;
      // Something of a page that has failed may still be at work on it.
      if (text === undefined) state.shared = undefined;
      const astros = await renderByAstro(makeRequest(), routeData);
      if (isTrusted) return astros;
      if (text === undefined && state.isLean) {
        state.isLean = ++state.refused < REFUSED_PAGES;
        return astros;
      }
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
