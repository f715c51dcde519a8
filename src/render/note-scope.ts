import type { RenderContext, RenderScope } from '#catalogue/port/render-context.ts';

/** Route files whose pages are found by changed products. */
export const PRODUCT_ROUTE = /^src\/pages\/\[language\]\/p\//;
/** Route files whose pages are found by changed families. */
export const FAMILY_ROUTE = /^src\/pages\/\[language\]\/products\/\[family\]\//;

/** The current scope, and a record of whether it was read: routes whose paths depend on it do so. */
export interface NotedScope {
  now: RenderScope | undefined;
  /** True if the scope was read since the last call. */
  wasAsked(): boolean;
}

/** Wraps a build's host to record reads of its scope. */
export function noteScope(
  host: Omit<RenderContext, 'scope'>,
  first: RenderScope | undefined,
): { host: RenderContext; scope: NotedScope } {
  let isAsked = false;
  const scope: NotedScope = {
    now: first,
    wasAsked: () => {
      const was = isAsked;
      isAsked = false;
      return was;
    },
  };
  const noted = Object.defineProperty(host, 'scope', {
    get: () => {
      isAsked = true;
      return scope.now;
    },
  });
  return { host: noted, scope };
}
