import { describeSize } from './describe-size.ts';
import type { SyncReport } from './sync-report.ts';
import { totalChanges } from './total-changes.ts';

/** A run in one line: `Changed: 0 added, 1 changed, 0 removed; …; digest abababababab.` */
export function summariseRun(report: SyncReport): string {
  const { changed, counts, problems, warnings, assets, requests, bytes, durationMs, digest, hooks } = report;
  const totals = totalChanges(counts);
  const parts = [
    ...some(report.alarms.length, 'alarm'),
    changed ? `${totals.added} added, ${totals.changed} changed, ${totals.removed} removed` : 'nothing changed',
    ...some(report.awaitedRemovals.length, 'awaited removal'),
    `${assets.fetched} of ${assets.referenced} assets fetched`,
    ...(report.unreachable.length > 0 ? [`${sum(report.unreachable)} unreachable`] : []),
    ...some(sum(problems), 'problem'),
    ...some(sum(warnings), 'warning'),
    ...(report.resumed > 0 ? [`${report.resumed} resumed`] : []),
    ...(report.unasked > 0 ? [`${report.unasked} left for the next run`] : []),
    ...hooks.map(({ hook, outcome }) => `hook ${hook} ${outcome}`),
    `${requests} requests and ${describeSize(bytes)} in ${(durationMs / 1000).toFixed(1)} s`,
    `digest ${digest.slice(0, 12)}`,
  ];
  return `${changed ? 'Changed' : 'Unchanged'}: ${parts.join('; ')}.`;
}

function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

function some(number: number, what: string): string[] {
  return number === 0 ? [] : [`${number} ${what}${number === 1 ? '' : 's'}`];
}
