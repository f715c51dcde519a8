import type { ChangeCounts, SyncReport } from './sync-report.ts';

/** Sums the counts of all kinds and languages. */
export function totalChanges(counts: SyncReport['counts']): ChangeCounts {
  const totals: ChangeCounts = { added: 0, changed: 0, removed: 0 };
  for (const tally of Object.values(counts).flatMap((byLanguage) => Object.values(byLanguage))) {
    totals.added += tally.added;
    totals.changed += tally.changed;
    totals.removed += tally.removed;
  }
  return totals;
}
