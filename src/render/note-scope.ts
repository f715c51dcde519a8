import type { RenderContext, RenderScope } from '#catalogue/port/render-context.ts';

/** Files of routes whose pages are found by what has become of their products. */
export const PRODUCT_ROUTE = /^src\/pages\/\[language\]\/p\//;
/** The same of families. */
export const FAMILY_ROUTE = /^src\/pages\/\[language\]\/products\/\[family\]\//;

/** What is looked at now, and whether somebody has asked for it: routes whose paths depend on it do. */
export interface NotedScope {
  now: RenderScope | undefined;
  /** Whether somebody has asked since this was called last. */
  wasAsked(): boolean;
}

/** A build's host whose scope notes when it is asked for. */
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
