import type { Measurement } from './measure-process.ts';

export const PEERS = ['astro', 'astro-incremental', 'eleventy', 'hugo', 'bare'] as const;
export type Peer = (typeof PEERS)[number];
/** `facts` is no builder: it calculates from the records what the pages say, which all peers but Astro are given. */
export type BuilderName = 'ours' | Peer | 'facts';

/**
 * `cold`: nothing is kept and nothing was built. `cached-bundle`: all pages are gone, and what ours keeps to do
 * without Vite is there. `one`: one price has changed. `one-picture`: the bytes of one picture have, where each product
 * has one; peers show none. `one-article`: the title of one of 1,000 posts has; `one-episode`: that of one of 1,000
 * episodes of an hour; both with the search and all else that a build makes. `own-page`: the name of a product has, which
 * a page of the project's own shows that reads all products with `getCollection`. `template`: the template of the product
 * page has changed.
 */
export const SCENARIOS = [
  'cold',
  'cached-bundle',
  'nochange',
  'one',
  'one-picture',
  'one-article',
  'one-episode',
  'own-page',
  'template',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface BuildRun extends Measurement {
  pages: number;
  builder: BuilderName;
  scenario: Scenario;
}

/** Medians of several runs. */
export interface BuildRow extends BuildRun {
  runs: number;
}

/** Peer -> scenario -> how many times as long as ours it takes; above 1, ours is faster. */
export type Ratios = Partial<Record<Peer, Partial<Record<Scenario, number>>>>;

export function toRows(runs: readonly BuildRun[]): BuildRow[] {
  const groups = Map.groupBy(runs, ({ pages, builder, scenario }) => `${pages} ${scenario} ${builder}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return {
      ...first,
      seconds: median(group.map(({ seconds }) => seconds)) ?? 0,
      cpuSeconds: median(group.flatMap(({ cpuSeconds }) => cpuSeconds ?? [])),
      megabytes: median(group.flatMap(({ megabytes }) => megabytes ?? [])),
      runs: group.length,
    };
  });
}

/** Peers keep no bundle: with that of ours kept, they are compared by their cold builds. */
export function ratiosOf(rows: readonly BuildRow[], pages: number): Ratios {
  const secondsOf = (name: BuilderName, which: Scenario) =>
    rows.find((row) => row.pages === pages && row.builder === name && row.scenario === which)?.seconds;
  const ratios: Ratios = {};
  for (const peer of PEERS) {
    for (const scenario of SCENARIOS) {
      const ours = secondsOf('ours', scenario);
      const theirs = secondsOf(peer, scenario === 'cached-bundle' ? 'cold' : scenario);
      if (ours === undefined || theirs === undefined) continue;
      ratios[peer] = { ...ratios[peer], [scenario]: Number((theirs / ours).toPrecision(3)) };
    }
  }
  return ratios;
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
