/**
 * What Astro gives the component of a page. Most of it is the same on all pages of a route; to make it, with the request,
 * the cookies and the context that it is made of, takes a quarter of what a page takes.
 */
export interface Result {
  request: Request;
  response: { status: number; statusText: string; headers: Headers };
  /** The `Astro` of a component; its prototype is the one of the page. */
  createAstro(props: object, slots: unknown): object;
}

/** What a page has of its own. */
export interface OwnOfPage {
  params: Readonly<Record<string, string | undefined>>;
  props: object;
}

export interface SharedResult {
  /** The result for the next page: the one before must have come to its end. */
  begin(pathname: string, own: OwnOfPage): Result;
  /** Whether the page has asked for what it would have to itself: what became of it is of no use then. */
  hasFailed(): boolean;
}

/** What `Astro` has of the route or the component, or what is set for each page. */
const SHAREABLE = new Set<PropertyKey>(['generator', 'isPrerendered', 'params', 'routePattern', 'site', 'slots']);
const OF_A_PAGE = ['request', 'response', 'cookies', 'actionResult'];

/** Makes what Astro has made for one page of a route do for others. @param result Before that page is rendered. */
export function shareResult(result: Result): SharedResult {
  const given: Record<string, unknown> = { ...result };
  for (const key of OF_A_PAGE) delete given[key];
  // Taken before the page that it was made for changes it.
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

/** Copies what pages collect and mark in a result: what lists hold is the same for all of them. */
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
