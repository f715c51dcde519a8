import { findDrift, withoutDrift, type DriftClass } from './find-drift.ts';
import { formatIssues } from './format-issues.ts';
import { summariseRun } from './summarise-run.ts';
import type { Alarm, AwaitedRemoval, Change, SourceReport, SyncReport } from './sync-report.ts';
import { wordAlarm } from './word-alarm.ts';

/** Beyond this, a list says less than its counts. */
const MAX_LINES = 200;
const MAX_ADDED_LINES = 20;
const MAX_AWAITED_LINES = 20;

const DRIFT: Record<DriftClass, string> = {
  'new-field': 'New fields of the interface (not shown on the site)',
  'new-value': 'New values of the interface',
  'changed-type': 'Changed types of the interface',
};

/**
 * The report as a person reads it: what somebody has to look at, one line a change
 * (`changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9`), what is wrong, and a summary as the last
 * line.
 */
export function formatReport(report: SyncReport): string {
  const drift = Map.groupBy(findDrift({ problems: [], warnings: report.warnings }), (group) => group.class);
  const sections = [
    report.alarms.map(formatAlarm).join('\n'),
    formatChanges(report.changes),
    formatAwaited(report.awaitedRemovals),
    report.sources.flatMap(formatSource).join('\n'),
    titled('Unreachable (the last good records stay)', formatIssues(report.unreachable)),
    titled('Problems (the last good records stay)', formatIssues(report.problems)),
    ...[...drift].map(([kind, groups]) => titled(DRIFT[kind], formatIssues(groups))),
    titled('Warnings', formatIssues(withoutDrift(report.warnings))),
    summariseRun(report),
  ];
  return sections.filter(Boolean).join('\n').replace(CONTROLS, '');
}

/** A name must not move the cursor, recolour the terminal or turn the line around. */
const CONTROLS = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

function titled(title: string, lines: string): string {
  return lines && `${title}:\n${lines}`;
}

function formatAlarm(alarm: Alarm): string {
  return `ALARM: ${wordAlarm(alarm)}`;
}

function formatAwaited(awaited: readonly AwaitedRemoval[]): string {
  const lines = awaited
    .slice(0, MAX_AWAITED_LINES)
    .map(({ gtin, language, since, runs }) => `  ${gtin} ${language}: not known since ${since}, ${runs} runs in a row`);
  const rest = awaited.length - lines.length;
  return titled('Awaited removals', [...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n'));
}

function formatSource({ name, outcome, asOf, problem }: SourceReport): string[] {
  if (outcome === 'read') return [];
  const state = asOf === undefined ? 'was never read' : `stays as of ${asOf}`;
  return [`source ${name} ${outcome}: ${state}${problem === undefined ? '' : ` (${problem})`}`];
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
