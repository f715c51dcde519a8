import { formatIssues } from './format-issues.ts';
import type { Change, ChangeCounts, SyncReport } from './sync-report.ts';

/** Beyond this, a list says less than its counts. */
const MAX_LINES = 200;
const MAX_ADDED_LINES = 20;

/**
 * The report as a person reads it: one line a change
 * (`changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9`), what is wrong, and a summary as the last
 * line.
 */
export function formatReport(report: SyncReport): string {
  const sections = [
    formatChanges(report.changes),
    report.problems.length > 0 ? `Problems (the last good records stay):\n${formatIssues(report.problems)}` : '',
    report.warnings.length > 0 ? `Warnings:\n${formatIssues(report.warnings)}` : '',
    summarise(report),
  ];
  return sections.filter(Boolean).join('\n');
}

function formatChanges(changes: readonly Change[]): string {
  const added = changes.filter(({ change }) => change === 'added');
  const hidden = added.length > MAX_ADDED_LINES ? new Set(added) : new Set();
  const shown = changes.filter((change) => !hidden.has(change));
  const lines = shown.slice(0, MAX_LINES).map(formatChange);
  if (hidden.size > 0) lines.push(...countAdded(added));
  if (shown.length > MAX_LINES) lines.push(`… and ${shown.length - MAX_LINES} more; --json has them all`);
  return lines.join('\n');
}

function formatChange({ change, kind, id, language, name, fields }: Change): string {
  const what = [change, ...(kind === 'product' ? [] : [kind]), id, language, name].filter(Boolean).join(' ');
  if (change !== 'changed') return what;
  if (fields.length === 0) return `${what}: read anew`;
  return `${what}: ${fields.map(({ field, before, after }) => `${field} ${show(before)} -> ${show(after)}`).join(', ')}`;
}

function countAdded(added: readonly Change[]): string[] {
  const kinds = Map.groupBy(added, ({ kind, language }) => [kind, language].filter(Boolean).join(' '));
  return [...kinds].map(([kind, list]) => `added ${list.length} × ${kind}`);
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  const text = String(value).replace(/\s+/g, ' ');
  return typeof value === 'string' && /\s/.test(text) ? `"${text}"` : text;
}

function summarise(report: SyncReport): string {
  const { changed, counts, problems, warnings, assets, requests, durationMs, digest, hooks } = report;
  const totals: ChangeCounts = { added: 0, changed: 0, removed: 0 };
  for (const tally of Object.values(counts).flatMap((byLanguage) => Object.values(byLanguage))) {
    totals.added += tally.added;
    totals.changed += tally.changed;
    totals.removed += tally.removed;
  }
  const parts = [
    changed ? `${totals.added} added, ${totals.changed} changed, ${totals.removed} removed` : 'nothing changed',
    `${assets.fetched} of ${assets.referenced} assets fetched`,
    ...(problems.length > 0 ? [count(sum(problems), 'problem')] : []),
    ...(warnings.length > 0 ? [count(sum(warnings), 'warning')] : []),
    ...hooks.map(({ hook, outcome }) => `hook ${hook} ${outcome}`),
    `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    `digest ${digest.slice(0, 12)}`,
  ];
  return `${changed ? 'Changed' : 'Unchanged'}: ${parts.join('; ')}.`;
}

function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
