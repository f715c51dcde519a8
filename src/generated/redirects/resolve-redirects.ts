import type { Redirect } from './redirect.ts';

/**
 * Leads every path that was left to where its page is now, in one step: chains are followed to their end, what would go
 * round is left out, and so is a path at which a page stands again. Of several for one path the first counts.
 * @returns By their paths.
 */
export function resolveRedirects(redirects: Iterable<Redirect>, isPage: (pathname: string) => boolean): Redirect[] {
  const next = new Map<string, string>();
  for (const { from, to } of redirects) if (!isPage(from) && !next.has(from)) next.set(from, to);
  return [...next.keys()].toSorted().flatMap((from) => {
    const to = followFrom(from, next);
    return to === undefined ? [] : { from, to };
  });
}

function followFrom(start: string, next: ReadonlyMap<string, string>): string | undefined {
  const passed = new Set([start]);
  let place = start;
  for (let to = next.get(place); to !== undefined; to = next.get(place)) {
    if (passed.has(to)) return undefined;
    passed.add(to);
    place = to;
  }
  return place === start ? undefined : place;
}
