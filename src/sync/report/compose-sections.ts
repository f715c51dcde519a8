import {
  describeSize,
  type AffectedRecords,
  type Change,
  type IssueGroup,
  type SyncReport,
  summariseRun,
} from './sync-report.ts';
import { excludeDrift, type DriftClass } from './find-drift.ts';
import {
  countAffected,
  percentOf,
  describeAwaitedRemoval,
  describeAlarm,
  describeUnused,
  mergeGroups,
} from './format-report.ts';
import type { TranslationReport } from './measure-translations.ts';
import { type ReportDocument, createTable, type ReportSection, type ReportTable } from './report-document.ts';

/** Further additions are only counted. */
const MAX_ADDED_ROWS = 50;

const DRIFT: Record<DriftClass, string> = {
  'new-field': 'new field',
  'new-value': 'new value',
  'changed-type': 'changed type',
};

/** Creates the sections of a report after its summary, most important first. Empty sections are omitted. */
export function composeSections({ error, run, drift, translations }: ReportDocument): ReportSection[] {
  const warnings = excludeDrift(run.warnings);
  return [
    section('error', 'The run failed. The catalogue is unchanged.', {
      tone: 'alarm',
      paragraphs: error ? [...error.message.split('\n'), error.hint ?? ''] : [],
    }),
    section('alarms', 'Alarms', { tone: 'alarm', paragraphs: run.alarms.map(describeAlarm) }),
    section('sources', 'Sources', { table: sourceTable(run) }),
    section('counts', 'Changes by kind', { table: countTable(run) }),
    section('added', 'Added', { table: addedTable(run.changes) }),
    section('changed', 'Changed', { table: changedTable(run.changes) }),
    section('removed', 'Removed', { table: removedTable(run.changes) }),
    section('awaited', 'Removals awaiting confirmation', { table: awaitedTable(run) }),
    issueSection('unreachable', 'Not readable', { groups: run.unreachable, affected: run.unreachableRecords }),
    issueSection('invalid', 'Invalid', { groups: run.problems, affected: run.invalidRecords }),
    section('drift', 'Interface drift', {
      table: createTable(['Class', ...ISSUE_HEAD], drift, (group) => [DRIFT[group.class], ...issueRow(group)]),
    }),
    section('warnings', 'Warnings', { table: issueTable(warnings) }),
    ...(translations ? translationSections(translations) : []),
    section('traffic', 'Files, hooks and traffic', { table: trafficTable(run) }),
  ].filter(({ paragraphs, table }) => paragraphs.length > 0 || table);
}

function section(
  id: string,
  title: string,
  { tone = 'plain', paragraphs = [], table }: Partial<ReportSection>,
): ReportSection {
  return { id, title, tone, paragraphs: paragraphs.filter(Boolean), table };
}

function issueSection(
  id: string,
  title: string,
  { groups, affected }: { groups: readonly IssueGroup[]; affected: AffectedRecords },
): ReportSection {
  const paragraphs = affected.count > 0 ? [`${countAffected(affected)}.`] : [];
  return section(id, title, { paragraphs, table: issueTable(groups) });
}

function sourceTable({ sources }: SyncReport): ReportTable | undefined {
  return createTable(['Source', 'Outcome', 'As of', 'Note'], sources, (source) => {
    const { name, outcome, asOf = 'never', problem = describeUnused(source) } = source;
    return [name, outcome, asOf, problem];
  });
}

function countTable({ counts }: SyncReport): ReportTable | undefined {
  const rows = Object.entries(counts).flatMap(([kind, byLanguage]) =>
    Object.entries(byLanguage).map(([language, tally]) => ({ kind, language, ...tally })),
  );
  return createTable(['Kind', 'Language', 'Added', 'Changed', 'Removed'], rows, (row) => [
    row.kind,
    row.language,
    row.added,
    row.changed,
    row.removed,
  ]);
}

const CHANGE_HEAD = ['Kind', 'Id', 'Language', 'Name'];
const changeRow = ({ kind, id, language = '', name }: Change) => [kind, id, language, name];

function addedTable(changes: readonly Change[]): ReportTable | undefined {
  return createTable(CHANGE_HEAD, only(changes, 'added'), changeRow, MAX_ADDED_ROWS);
}

function removedTable(changes: readonly Change[]): ReportTable | undefined {
  return createTable(CHANGE_HEAD, only(changes, 'removed'), changeRow);
}

/** Creates one row per field. */
function changedTable(changes: readonly Change[]): ReportTable | undefined {
  const rows = only(changes, 'changed').flatMap((change) =>
    change.fields.length === 0
      ? [[...changeRow(change), '(refreshed, no field changes)', '', '']]
      : change.fields.map(({ field, before, after }) => [...changeRow(change), field, show(before), show(after)]),
  );
  return createTable([...CHANGE_HEAD, 'Field', 'Before', 'After'], rows, (row) => row);
}

function only(changes: readonly Change[], kind: Change['change']): Change[] {
  return changes.filter(({ change }) => change === kind);
}

function awaitedTable({ awaitedRemovals }: SyncReport): ReportTable | undefined {
  return createTable(['GTIN', 'Language', 'What happens'], awaitedRemovals, (row) => [
    row.gtin,
    row.language,
    describeAwaitedRemoval(row),
  ]);
}

const ISSUE_HEAD = ['Count', 'Kind', 'Field', 'Problem', 'Advice', 'Examples', 'Records'];

function issueTable(groups: readonly IssueGroup[]): ReportTable | undefined {
  return createTable(ISSUE_HEAD, mergeGroups(groups), issueRow);
}

function issueRow({ count, kind, field, problem, advice, examples, records }: IssueGroup) {
  const more = count > records.length ? ', …' : '';
  return [count, kind, field, problem, advice ?? '', examples.join('; '), records.join(', ') + more];
}

function translationSections(report: TranslationReport): ReportSection[] {
  const { mainLanguage, languages, translated, products, fields, gaps, gapCount } = report;
  if (languages.length === 0 || products === 0) return [];
  const rows = [
    { what: 'whole record', counts: translated, of: products },
    ...fields.map(({ field, filled, inMain }) => ({ what: field, counts: filled, of: inMain })),
  ];
  const matrix = createTable(['Field', mainLanguage, ...languages], rows, ({ what, counts, of }) => [
    what,
    of,
    ...languages.map((language) => percentOf(counts[language] ?? 0, of)),
  ]);
  const list = createTable(['GTIN', 'Name', 'Language', 'State', 'Missing'], gaps, (gap) => [
    gap.gtin,
    gap.name,
    gap.language,
    gap.state,
    gap.state === 'untranslated' ? 'everything' : gap.missing.join(', '),
  ]);
  const gapTable = list && { ...list, omitted: gapCount - list.rows.length };
  return [
    section('translations', 'Translations', {
      paragraphs: [
        `Share of the fields filled in ${mainLanguage} that are also filled in other languages (${products} products).`,
      ],
      table: matrix,
    }),
    section('gaps', 'Missing translations, worst first', { table: gapTable }),
  ];
}

function trafficTable({ assets, hooks, requests, bytes, durationMs, resumed, unasked }: SyncReport) {
  const rows: [string, string | number][] = [
    ['Files referenced', assets.referenced],
    ['fetched', `${assets.fetched} (${describeSize(assets.bytes)})`],
    ['unchanged', assets.unchanged],
    ['failed', assets.failed],
    ['on hosts that are not allowed', assets.notAllowed],
    ...hooks.map(({ hook, outcome }): [string, string] => [`Hook ${hook}`, outcome]),
    ['Records continued from an interrupted sync', resumed],
    ['Records left for the next sync', unasked],
    ['Requests', requests],
    ['Received', describeSize(bytes)],
    ['Duration', `${(durationMs / 1000).toFixed(1)} s`],
  ];
  return createTable(['What', 'How much'], rows, (row) => row);
}

function show(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Renders the report as Markdown with tables, as used in job summaries and issues of Git hosts. */
export function renderMarkdown(document: ReportDocument): string {
  const { site, outcome, error, run } = document;
  const lines = [
    `# Sync of ${escapeText(site)}: ${outcome}`,
    `${run.startedAt}${error ? ` · ${escapeText(error.code)}` : ''}`,
    ...(outcome === 'failed' ? [] : [escapeText(summariseRun(run))]),
    ...composeSections(document).map(renderSection),
  ];
  return `${lines.join('\n\n')}\n`;
}

function renderSection({ title, tone, paragraphs, table }: ReportSection): string {
  const mark = tone === 'alarm' ? '⚠️ ' : '';
  const quote = tone === 'alarm' ? '> ' : '';
  return [
    `## ${mark}${title}`,
    ...paragraphs.map((text) => `${quote}${escapeText(text)}`),
    ...(table ? [renderTable(table)] : []),
  ].join('\n\n');
}

function renderTable({ head, rows, omitted }: ReportTable): string {
  const isNumber = head.map((_, i) => rows.every((row) => typeof row[i] === 'number'));
  const lines = [
    rowOf(head),
    rowOf(isNumber.map((number) => (number ? '---:' : '---'))),
    ...rows.map((row) => rowOf(row.map((cell) => escapeText(String(cell))))),
  ];
  if (omitted > 0) lines.push('', `… and ${omitted} more; report.json lists them.`);
  return lines.join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes text and puts it on one line, so that it can't end a cell or create markup. */
function escapeText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replace(/[\\`*_[\]|~$#]|^\s*[-+]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .trim();
}
