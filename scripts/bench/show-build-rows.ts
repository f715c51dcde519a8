import { PEERS, ratiosOf, SCENARIOS, type BuildRow } from './build-rows.ts';
import { formatTable } from './format-table.ts';

const NOT_COMPARED =
  'Peers but those of Astro make product pages only, of `facts` that were calculated for them before. Ours and Astro calculate them from the records, and make lists of products and a sitemap besides.';

/** Two tables: how many times as long as ours each peer takes, and what was measured. */
export function showBuildRows(rows: readonly BuildRow[]): string {
  const sizes = [...new Set(rows.map(({ pages }) => pages))];
  const builders = [...new Set(rows.map(({ builder }) => builder))];
  const ratios = sizes.flatMap((pages) =>
    SCENARIOS.flatMap((scenario) => {
      const ours = rows.find((row) => row.pages === pages && row.scenario === scenario && row.builder === 'ours');
      if (!ours) return [];
      const ratiosHere = ratiosOf(rows, pages);
      const peers = PEERS.filter((peer) => builders.includes(peer)).map(
        (peer) => [peer, ratiosHere[peer]?.[scenario] ?? '–'] as const,
      );
      return { pages, scenario, 'ours, s': ours.seconds, ...Object.fromEntries(peers) };
    }),
  );
  const measured = rows.map(({ pages, scenario, builder, runs, seconds, cpuSeconds, megabytes }) => ({
    pages,
    scenario,
    builder,
    runs,
    seconds,
    cpuSeconds: cpuSeconds ?? '–',
    megabytes: megabytes ?? '–',
  }));
  return [
    'Median wall clock of a peer divided by that of ours; above 1, ours is faster.',
    formatTable(ratios),
    NOT_COMPARED,
    formatTable(measured),
  ].join('\n\n');
}
