import { countNoun } from '#contracts/index.ts';
import { describeSize } from './describe-size.ts';
import type { SyncReport } from './sync-report.ts';
import { totalChanges } from './total-changes.ts';

/** Summarises a run in one line: `Changed: 0 added, 1 changed, 0 removed; …; digest abababababab.` */
export function summariseRun(report: SyncReport): string {
  const { changed, counts, warnings, assets, requests, bytes, durationMs, digest, hooks } = report;
  const totals = totalChanges(counts);
  const parts = [
    ...countIfAny(report.alarms.length, 'alarm'),
    changed ? `${totals.added} added, ${totals.changed} changed, ${totals.removed} removed` : describeUnchanged(report),
    ...describeUncompared(report),
    ...describeHeads(report),
    ...countIfAny(report.awaitedRemovals.length, 'awaited removal'),
    `${assets.fetched} of ${assets.referenced} files fetched`,
    ...countIfAny(report.unreachableRecords.count, 'record', 'not readable'),
    ...countIfAny(report.invalidRecords.count, 'record', 'invalid'),
    ...countIfAny(sum(warnings), 'warning'),
    ...(report.resumed > 0 ? [`${report.resumed} continued from an interrupted sync`] : []),
    ...(report.unasked > 0 ? [`${report.unasked} left for the next sync`] : []),
    ...hooks.map(({ hook, outcome }) => `hook ${hook} ${outcome}`),
    `${requests} requests and ${describeSize(bytes)} in ${(durationMs / 1000).toFixed(1)} s`,
    `digest ${digest.slice(0, 12)}`,
  ];
  return `${changed ? 'Changed' : 'Unchanged'}: ${parts.join('; ')}.`;
}

function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

function countIfAny(number: number, noun: string, what = ''): string[] {
  return number === 0 ? [] : [`${countNoun(number, noun)} ${what}`.trim()];
}

/** Limits the statement to the records that this run compared. */
function describeUnchanged({ unasked, uncompared, unreachableRecords }: SyncReport): string {
  const isComplete = unasked === 0 && uncompared.count === 0 && unreachableRecords.count === 0;
  return isComplete ? 'nothing changed' : 'nothing changed in what was compared';
}

/** Servers without a list of heads don't report a head that changes without its page. */
function describeHeads({ changed, headsAsOf }: SyncReport): string[] {
  if (changed || headsAsOf === undefined) return [];
  return [`page heads are as of ${headsAsOf} (\`npm run sync -- --full=publishing\` reads them again)`];
}

function describeUncompared({ uncompared: { count, asOf } }: SyncReport): string[] {
  if (count === 0 || asOf === undefined) return [];
  const verb = count === 1 ? 'is' : 'are';
  return [
    `${countNoun(count, 'record')} ${verb} as of ${asOf}, when the interrupted sync read ${count === 1 ? 'it' : 'them'}`,
  ];
}
