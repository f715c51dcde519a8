import type { AwaitedRemoval } from './sync-report.ts';

/** When a removal takes effect. */
export function wordAwaited({ since, runs, runsLeft, notBefore }: AwaitedRemoval): string {
  const seen = `missing since ${since}, in ${runs} ${runs === 1 ? 'sync' : 'syncs in a row'}`;
  const when =
    runsLeft === 1
      ? `at the next sync after ${notBefore}`
      : `in ${runsLeft} more syncs, the last of them after ${notBefore}`;
  return `${seen}; it will be removed if it is still missing ${when}`;
}
