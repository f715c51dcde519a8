/**
 * What Astro gives the component of a page. Most of it is the same on all pages of a route; to make it, with the request,
 * the cookies and the context that it is made of, takes a quarter of what a page takes.
 */
export interface Result {
  request: Request;
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
  const given = copyOf({ ...result });
  let isLent = false;
  let hasFailed = false;
  const refuse = (): never => {
    hasFailed = true;
    throw new Error('This is for a page that has it to itself.');
  };
  const astro: object = Object.getPrototypeOf(result.createAstro({}, undefined)) ?? {};
  const lend = (): void => {
    const hidden = Reflect.ownKeys(astro).filter((key) => !SHAREABLE.has(key));
    for (const key of hidden) Object.defineProperty(astro, key, { get: refuse });
    for (const key of OF_A_PAGE) {
      delete given[key];
      Object.defineProperty(result, key, { get: refuse });
    }
    isLent = true;
  };
  return {
    begin: (pathname, { params }) => {
      if (!isLent) lend();
      hasFailed = false;
      Object.assign(astro, { params });
      return Object.assign(result, copyOf(given), { pathname, params });
    },
    hasFailed: () => hasFailed,
  };
}

/** Of what pages collect and mark in a result: what lists hold is the same for all of them. */
function copyOf(of: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(of) as [string, unknown][]) {
    if (value instanceof Set) copy[key] = new Set(value);
    else if (Array.isArray(value)) copy[key] = [...value];
    else copy[key] = isPlain(value) ? copyOf(value) : value;
  }
  return copy;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
