import type { Change, SyncReport } from './sync-report.ts';

/** Changes by kind and language. */
export function countChanges(changes: readonly Change[]): SyncReport['counts'] {
  const counts: SyncReport['counts'] = {};
  for (const { kind, language = '', change } of changes) {
    const ofKind = (counts[kind] ??= {});
    const tally = (ofKind[language] ??= { added: 0, changed: 0, removed: 0 });
    tally[change] += 1;
  }
  return counts;
}
