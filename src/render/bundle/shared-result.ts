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
export interface PageData {
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
