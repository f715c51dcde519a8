import { findDrift, withoutDrift, type DriftClass } from './find-drift.ts';
import { countAffected, countRecords, formatIssues } from './format-issues.ts';
import { summariseRun } from './summarise-run.ts';
import type { Alarm, Change, SourceReport, SyncReport } from './sync-report.ts';
import { wordAwaited } from './word-awaited.ts';
import { wordAlarm } from './word-alarm.ts';

/** Beyond this, a list says less than its counts. */
const MAX_LINES = 200;
const MAX_ADDED_LINES = 20;
const MAX_AWAITED_LINES = 20;

const DRIFT: Record<DriftClass, string> = {
  'new-field': 'New fields of the product interface (not shown on the site)',
  'new-value': 'New values of the product interface',
  'changed-type': 'Other types of values than the product interface describes',
};

/**
 * The report as a person reads it: what somebody has to look at, one line a change
 * (`changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9`), what is wrong and what to do about it, where
 * the whole report is, and a summary as the last line.
 */
export function formatReport(report: SyncReport): string {
  const drift = Map.groupBy(findDrift({ problems: [], warnings: report.warnings }), (group) => group.class);
  const sections = [
    report.alarms.map(formatAlarm).join('\n'),
    formatChanges(report.changes),
    titled('Removals that wait for confirmation', formatAwaited(report)),
    report.sources.flatMap(formatSource).join('\n'),
    titled(`Not readable: ${countAffected(report.unreachableRecords)}`, formatIssues(report.unreachable)),
    titled(`Invalid: ${countAffected(report.invalidRecords)}`, formatIssues(report.problems)),
    ...[...drift].map(([kind, groups]) => titled(DRIFT[kind], formatIssues(groups))),
    titled('Warnings', formatIssues(withoutDrift(report.warnings))),
  ].filter(Boolean);
  const pointer = sections.length > 0 && report.reportFile ? [`Full report: ${report.reportFile}`] : [];
  return [...sections, ...pointer, summariseRun(report)].join('\n').replace(CONTROLS, '');
}

/** A name must not move the cursor, recolour the terminal or turn the line around. */
const CONTROLS = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

function titled(title: string, lines: string): string {
  return lines && `${title}:\n${lines}`;
}

function formatAlarm(alarm: Alarm): string {
  return `ALARM: ${wordAlarm(alarm)}`;
}

function formatAwaited({ awaitedRemovals }: SyncReport): string {
  const lines = awaitedRemovals.slice(0, MAX_AWAITED_LINES).map((awaited) => {
    return `  ${awaited.gtin} ${awaited.language}: ${wordAwaited(awaited)}`;
  });
  const rest = awaitedRemovals.length - lines.length;
  return [...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n');
}

function formatSource({ name, outcome, asOf, problem }: SourceReport): string[] {
  if (outcome === 'read') return [];
  const state = asOf === undefined ? 'was never read' : `what was stored at ${asOf} stays`;
  const why = problem === undefined ? '' : `: ${problem}`;
  return [
    `The ${name} source could not be read (${outcome === 'skipped' ? 'skipped' : 'last good content'}); ${state}${why}`,
  ];
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
  if (fields.length === 0) return `${what}: refreshed, no field changes`;
  return `${what}: ${fields.map(({ field, before, after }) => `${field} ${show(before)} -> ${show(after)}`).join(', ')}`;
}

function countAdded(added: readonly Change[]): string[] {
  const kinds = Map.groupBy(added, ({ kind, language }) => [kind, language].filter(Boolean).join(' '));
  return [...kinds.values()].flatMap((list) => {
    const { kind, language } = list[0] ?? {};
    if (!kind) return [];
    return `added ${countRecords(list.length, kind)}${language === undefined ? '' : ` in ${language}`}`;
  });
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  const text = String(value).replace(/\s+/g, ' ');
  return typeof value === 'string' && /\s/.test(text) ? `"${text}"` : text;
}
