/**
 * Render context of Astro for the component of a page. Most of it is equal on all pages of a route. Creating it,
 * including the request, cookies and context, takes a quarter of the time of a page.
 */
export interface Result {
  request: Request;
  response: { status: number; statusText: string; headers: Headers };
  /** Creates the `Astro` of a component; its prototype is that of the page. */
  createAstro(props: object, slots: unknown): object;
}

/** Parameters and props of a page. */
export interface OwnOfPage {
  params: Readonly<Record<string, string | undefined>>;
  props: object;
}

export interface SharedResult {
  /** Prepares the result for the next page; the previous page must be finished. */
  begin(pathname: string, own: OwnOfPage): Result;
  /** True if the page has read page-specific state. Discard its output then. */
  hasFailed(): boolean;
}

/** Members of `Astro` that depend on the route or component, or are set for each page. */
const SHAREABLE = new Set<PropertyKey>(['generator', 'isPrerendered', 'params', 'routePattern', 'site', 'slots']);
const OF_A_PAGE = ['request', 'response', 'cookies', 'actionResult'];

/**
 * Reuses a result for other pages of its route.
 *
 * @param result Must not have been used to render its page yet.
 */
export function shareResult(result: Result): SharedResult {
  const given: Record<string, unknown> = { ...result };
  for (const key of OF_A_PAGE) delete given[key];
  // Copied before the first page changes it.
  const copyGiven = copierOf(copierOf(given)?.());
  let isLent = false;
  let hasFailed = false;
  const refuse = (): never => {
    hasFailed = true;
    throw new Error('something that a page has to itself');
  };
  const astro: object = Object.getPrototypeOf(result.createAstro({}, undefined)) ?? {};
  const lend = (): void => {
    const hidden = Reflect.ownKeys(astro).filter((key) => !SHAREABLE.has(key));
    for (const key of hidden) Object.defineProperty(astro, key, { get: refuse });
    for (const key of OF_A_PAGE) Object.defineProperty(result, key, { get: refuse });
    isLent = true;
  };
  return {
    begin: (pathname, { params }) => {
      if (!isLent) lend();
      hasFailed = false;
      Object.assign(astro, { params });
      return Object.assign(result, copyGiven?.(), { pathname, params });
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
  const copiers = Object.entries(value).map(([key, held]: [string, unknown]) => [key, copierOf(held)] as const);
  return () => {
    const copy: Record<string, unknown> = { ...value };
    for (const [key, copyHeld] of copiers) if (copyHeld) copy[key] = copyHeld();
    return copy;
  };
}
