import type { Redirect } from './redirect.ts';

/**
 * Resolves each earlier path to its current page in one step. Cycles and paths that have a page again are omitted. The
 * first redirect of a path wins.
 * @returns Redirects sorted by path.
 */
export function resolveRedirects(redirects: Iterable<Redirect>, isPage: (pathname: string) => boolean): Redirect[] {
  const next = new Map<string, string>();
  for (const { from, to } of redirects) if (!isPage(from) && !next.has(from)) next.set(from, to);
  return [...next.keys()].toSorted().flatMap((from) => {
    const to = resolveTarget(from, next);
    return to === undefined ? [] : { from, to };
  });
}

function resolveTarget(start: string, next: ReadonlyMap<string, string>): string | undefined {
  const passed = new Set([start]);
  let current = start;
  for (let to = next.get(current); to !== undefined; to = next.get(current)) {
    if (passed.has(to)) return undefined;
    passed.add(to);
    current = to;
  }
  return current === start ? undefined : current;
}
