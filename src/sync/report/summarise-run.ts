import { countNoun } from '#contracts/index.ts';
import { describeSize } from './describe-size.ts';
import type { SyncReport } from './sync-report.ts';
import { totalChanges } from './total-changes.ts';

/** A run in one line: `Changed: 0 added, 1 changed, 0 removed; …; digest abababababab.` */
export function summariseRun(report: SyncReport): string {
  const { changed, counts, warnings, assets, requests, bytes, durationMs, digest, hooks } = report;
  const totals = totalChanges(counts);
  const parts = [
    ...some(report.alarms.length, 'alarm'),
    changed ? `${totals.added} added, ${totals.changed} changed, ${totals.removed} removed` : wordUnchanged(report),
    ...wordUncompared(report),
    ...wordHeads(report),
    ...some(report.awaitedRemovals.length, 'awaited removal'),
    `${assets.fetched} of ${assets.referenced} files fetched`,
    ...some(report.unreachableRecords.count, 'record', 'not readable'),
    ...some(report.invalidRecords.count, 'record', 'invalid'),
    ...some(sum(warnings), 'warning'),
    ...(report.resumed > 0 ? [`${report.resumed} continued from a sync that ended early`] : []),
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

function some(number: number, noun: string, what = ''): string[] {
  return number === 0 ? [] : [`${countNoun(number, noun)} ${what}`.trim()];
}

/** Says nothing of records that this run did not request. */
function wordUnchanged({ unasked, uncompared, unreachableRecords }: SyncReport): string {
  const isWhole = unasked === 0 && uncompared.count === 0 && unreachableRecords.count === 0;
  return isWhole ? 'nothing changed' : 'nothing changed in what was compared';
}

/** Servers that tell heads one by one don't say when one changes without its page. */
function wordHeads({ changed, headsAsOf }: SyncReport): string[] {
  if (changed || headsAsOf === undefined) return [];
  return [`page heads are as of ${headsAsOf} (\`npm run sync -- --full=publishing\` reads them again)`];
}

function wordUncompared({ uncompared: { count, asOf } }: SyncReport): string[] {
  if (count === 0 || asOf === undefined) return [];
  const verb = count === 1 ? 'is' : 'are';
  return [
    `${countNoun(count, 'record')} ${verb} as of ${asOf}, when the sync that ended early read ${count === 1 ? 'it' : 'them'}`,
  ];
}
