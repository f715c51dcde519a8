import type { RenderContext, RenderScope } from '#catalogue/port/render-context.ts';

/** Route files whose pages are found by changed products. */
export const PRODUCT_ROUTE = /^src\/pages\/\[language\]\/p\//;
/** Route files whose pages are found by changed families. */
export const FAMILY_ROUTE = /^src\/pages\/\[language\]\/products\/\[family\]\//;

/** The current scope, and a record of whether it was read: routes whose paths depend on it do so. */
export interface TrackedScope {
  now: RenderScope | undefined;
  /** True if the scope was read since the last call. */
  wasAsked(): boolean;
}

/** Wraps a build's host to record reads of its scope. */
export function trackScope(
  host: Omit<RenderContext, 'scope'>,
  first: RenderScope | undefined,
): { host: RenderContext; scope: TrackedScope } {
  let wasRead = false;
  const scope: TrackedScope = {
    now: first,
    wasAsked: () => {
      const result = wasRead;
      wasRead = false;
      return result;
    },
  };
  const trackedHost = Object.defineProperty(host, 'scope', {
    get: () => {
      wasRead = true;
      return scope.now;
    },
  });
  return { host: trackedHost, scope };
}
