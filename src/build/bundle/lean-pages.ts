import type { LeanResult, renderLean } from './lean-runtime.ts';

/** A compiled Astro component. */
export interface PageComponent {
  (result: LeanResult, props: object, slots: unknown): unknown;
  isAstroComponentFactory?: boolean;
}

export type MiddlewareLoader = () => Promise<{ onRequest?: (context: unknown, next: () => unknown) => unknown }>;

/** Parameters of a page. */
export type PageParams = Readonly<Record<string, string | undefined>>;

/** Number of pages of a route that are compared with those of Astro. */
const COMPARED_PAGES = 2;
/** Number of rejected pages after which Astro renders the others of the route. */
const MAX_REJECTED_PAGES = 3;

/**
 * Renders the pages of a route without Astro's renderer, as long as the first ones equal those of Astro. They share the
 * render context of a page of Astro, because creating it takes a quarter of the time of a page.
 *
 * A build of 3,000 products and 2,345 other pages takes 41 % more CPU time without it (20.7 and 14.6 s, means of
 * three, 2026-11-29). To remove it, leave `leanRuntimePlugin` and `leanRoute` out of `astro-internals.ts`.
 */
export function leanRoute(page: PageComponent, render: typeof renderLean) {
  let shared: ReturnType<typeof shareResult> | undefined;
  let compared = 0;
  let rejected = 0;
  let isOff = false;
  return {
    /** Page for Astro. */
    page: Object.assign((result: LeanResult, props: object, slots: unknown) => {
      // Before the page changes it.
      if (!shared && !isOff) shared = shareResult(result);
      return page(result, props, slots);
    }, page),
    /** Returns the text of a page, or Astro's response. */
    render: async (
      { pathname, params, props }: { pathname: string; params: PageParams; props: object },
      renderByAstro: () => Promise<Response>,
    ): Promise<string | Response> => {
      if (isOff || !shared) return renderByAstro();
      const result = shared.begin(pathname, params);
      const text = await render(result, page, props).catch(() => undefined);
      if (text === undefined || shared.hasFailed()) {
        // The rejected page may have pending work on the result.
        shared = undefined;
        isOff = ++rejected > MAX_REJECTED_PAGES;
        return renderByAstro();
      }
      if (compared >= COMPARED_PAGES) return text;
      const reference = await renderByAstro();
      isOff = (await reference.clone().text()) !== text;
      compared++;
      return reference;
    },
  };
}

function reject(): never {
  throw new Error('page-specific state');
}

/** True if the middleware of an app leaves pages alone. Any other may change any page. */
export async function isMiddlewareInert(load: MiddlewareLoader | undefined): Promise<boolean> {
  const { onRequest } = (await load?.()) ?? {};
  if (!onRequest) return true;
  const page = {};
  const unreadable = new Proxy({}, { get: () => reject(), has: () => reject() });
  try {
    const result = onRequest(unreadable, () => page);
    if (result instanceof Promise) result.catch(() => undefined);
    return result === page;
  } catch {
    return false;
  }
}

/** Members of `Astro` that depend on the route or component, or are set for each page. */
const SHAREABLE = new Set<PropertyKey>(['generator', 'isPrerendered', 'params', 'routePattern', 'site', 'slots']);
const PAGE_KEYS = ['request', 'response', 'cookies', 'actionResult'];

/** @param source Must not have been used to render its page yet. It stays unchanged. */
function shareResult(source: LeanResult) {
  const original: Record<string, unknown> = { ...source };
  for (const key of PAGE_KEYS) delete original[key];
  // Copied before the first page changes it.
  const copyOriginal = copierOf(copierOf(original)?.());
  let hasFailed = false;
  const fail = (): never => {
    hasFailed = true;
    return reject();
  };
  const sourceAstro: object = Object.getPrototypeOf(source.createAstro({}, undefined)) ?? {};
  const astro: object = Object.create(sourceAstro) as object;
  for (const key of Reflect.ownKeys(sourceAstro))
    if (!SHAREABLE.has(key)) Object.defineProperty(astro, key, { get: fail });
  const guards = Object.fromEntries(PAGE_KEYS.map((key) => [key, { get: fail, enumerable: true }]));
  return {
    /** Prepares the result for the next page; the previous page must be finished. */
    begin: (pathname: string, params: PageParams): LeanResult => {
      hasFailed = false;
      Object.defineProperty(astro, 'params', { value: params, configurable: true });
      const result = Object.assign(Object.defineProperties({}, guards), copyOriginal?.(), { pathname, params });
      return Object.assign(result, { leanAstro: astro }) as unknown as LeanResult;
    },
    /** True if the page has read page-specific state. Discard its output then. */
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
