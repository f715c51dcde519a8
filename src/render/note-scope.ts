import type { RenderContext, RenderScope } from '#catalogue/port/render-context.ts';

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
