import { isSortimentError } from '#contracts/index.ts';
import {
  excludeDrift,
  findDrift,
  mergeGroups,
  type Drift,
  type DriftClass,
  type IssueCollection,
} from './collect-issues.ts';
import { countAffected, describeAlarm, describeAwaitedRemoval, describeUnused } from './format-report.ts';
import type { TranslationReport } from './measure-translations.ts';
import {
  describeSize,
  summariseRun,
  type AffectedRecords,
  type Change,
  type IssueGroup,
  type SyncReport,
} from './sync-report.ts';

const MAX_ROWS = 300;

/** Result of a run: its report, or its error. */
export type RunResult =
  | { report: SyncReport }
  | ({
      error: unknown;
      startedAt: Date;
      finishedAt: Date;
    } & Partial<ReturnType<IssueCollection['list']>>);

/** The content of a report, independent of its format. */
export interface ReportDocument {
  site: string;
  outcome: 'changed' | 'unchanged' | 'failed';
  error: { code: string; message: string; hint: string | undefined } | undefined;
  /** Report of the run. After a failure: what is known, and the unchanged catalogue. */
  run: SyncReport;
  drift: Drift[];
  /** Undefined before the first snapshot. */
  translations: TranslationReport | undefined;
}

/** @param context `digest`: digest of the snapshot after the run; undefined before the first one. */
export function describeRun(
  outcome: RunResult,
  { digest, ...context }: Pick<ReportDocument, 'site' | 'translations'> & { digest: string | undefined },
): ReportDocument {
  const isFailed = 'error' in outcome;
  const run = isFailed ? failedRun(outcome, digest) : outcome.report;
  return {
    ...context,
    outcome: isFailed ? 'failed' : run.changed ? 'changed' : 'unchanged',
    error: isFailed ? describeError(outcome.error) : undefined,
    run,
    drift: findDrift(run),
  };
}

const NONE = { count: 0, withLastGood: 0 };

function failedRun(failure: Extract<RunResult, { error: unknown }>, digest = ''): SyncReport {
  const { error: _error, startedAt, finishedAt, ...issues } = failure;
  return {
    runId: '',
    startedAt: startedAt.toISOString(),
    changed: false,
    digest,
    previousDigest: digest || undefined,
    counts: {},
    changes: [],
    problems: [],
    warnings: [],
    unreachable: [],
    invalidRecords: NONE,
    unreachableRecords: NONE,
    ...issues,
    awaitedRemovals: [],
    alarms: [],
    sources: [],
    resumed: 0,
    uncompared: { count: 0, asOf: undefined },
    unasked: 0,
    assets: { referenced: 0, fetched: 0, unchanged: 0, failed: 0, notAllowed: 0, bytes: 0 },
    hooks: [],
    requests: 0,
    bytes: 0,
    durationMs: finishedAt.getTime() - startedAt.getTime(),
  };
}

/** Exposes only errors written for the public; others may quote anything. */
function describeError(error: unknown): ReportDocument['error'] {
  if (isSortimentError(error)) return { code: error.code, message: error.message, hint: error.hint };
  return {
    code: 'UNEXPECTED',
    message: 'The sync failed with an unexpected error. The snapshot is unchanged.',
    hint: 'This is a bug in Sortiment. Run `npm run sync -- --verbose` for details and report it.',
  };
}

/** A section of a report, for Markdown and HTML. All texts are plain. */
export interface ReportSection {
  /** Anchor for links. */
  id: string;
  title: string;
  tone: 'plain' | 'alarm';
  paragraphs: string[];
  table: ReportTable | undefined;
}

export interface ReportTable {
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Number of rows that are not included. */
  omitted: number;
}

export function createTable<T>(
  head: readonly string[],
  items: readonly T[],
  toRow: (item: T) => readonly (string | number)[],
  maxRows: number = MAX_ROWS,
): ReportTable | undefined {
  if (items.length === 0) return undefined;
  return { head, rows: items.slice(0, maxRows).map(toRow), omitted: Math.max(0, items.length - maxRows) };
}

/** Further additions are only counted. */
const MAX_ADDED_ROWS = 50;

const DRIFT: Record<DriftClass, string> = {
  'new-field': 'new field',
  'new-value': 'new value',
  'changed-type': 'changed type',
};

const CHANGE_HEAD = ['Kind', 'Id', 'Language', 'Name'];
const changeRow = ({ kind, id, language = '', name }: Change) => [kind, id, language, name];

const ISSUE_HEAD = ['Count', 'Kind', 'Field', 'Problem', 'Advice', 'Examples', 'Records'];
const issueRow = ({ count, kind, field, problem, advice, examples, records }: IssueGroup) => {
  const more = count > records.length ? ', …' : '';
  return [count, kind, field, problem, advice ?? '', examples.join('; '), records.join(', ') + more];
};

/** Creates the sections of a report after its summary, most important first. Empty sections are omitted. */
export function composeSections({ error, run, drift, translations }: ReportDocument): ReportSection[] {
  const only = (kind: Change['change']) => run.changes.filter(({ change }) => change === kind);
  const counts = Object.entries(run.counts).flatMap(([kind, byLanguage]) =>
    Object.entries(byLanguage).map(([language, { added, changed, removed }]) => [
      kind,
      language,
      added,
      changed,
      removed,
    ]),
  );
  return [
    section('error', 'The run failed. The catalogue is unchanged.', {
      tone: 'alarm',
      paragraphs: error ? [...error.message.split('\n'), error.hint ?? ''] : [],
    }),
    section('alarms', 'Alarms', { tone: 'alarm', paragraphs: run.alarms.map(describeAlarm) }),
    section('sources', 'Sources', {
      table: createTable(['Source', 'Outcome', 'As of', 'Note'], run.sources, (source) => {
        const { name, outcome, asOf = 'never', problem = describeUnused(source) } = source;
        return [name, outcome, asOf, problem];
      }),
    }),
    section('counts', 'Changes by kind', {
      table: createTable(['Kind', 'Language', 'Added', 'Changed', 'Removed'], counts, (row) => row),
    }),
    section('added', 'Added', { table: createTable(CHANGE_HEAD, only('added'), changeRow, MAX_ADDED_ROWS) }),
    section('changed', 'Changed', {
      table: createTable(
        [...CHANGE_HEAD, 'Field', 'Before', 'After'],
        only('changed').flatMap(fieldRows),
        (row) => row,
      ),
    }),
    section('removed', 'Removed', { table: createTable(CHANGE_HEAD, only('removed'), changeRow) }),
    section('awaited', 'Removals awaiting confirmation', {
      table: createTable(['GTIN', 'Language', 'What happens'], run.awaitedRemovals, (row) => [
        row.gtin,
        row.language,
        describeAwaitedRemoval(row),
      ]),
    }),
    issueSection('unreachable', 'Not readable', run.unreachable, run.unreachableRecords),
    issueSection('invalid', 'Invalid', run.problems, run.invalidRecords),
    section('drift', 'Interface drift', {
      table: createTable(['Class', ...ISSUE_HEAD], drift, (group) => [DRIFT[group.class], ...issueRow(group)]),
    }),
    issueSection('warnings', 'Warnings', excludeDrift(run.warnings)),
    ...(translations && translations.languages.length > 0 && translations.products > 0
      ? translationSections(translations)
      : []),
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
  groups: readonly IssueGroup[],
  affected: AffectedRecords = NONE,
): ReportSection {
  const paragraphs = affected.count > 0 ? [`${countAffected(affected)}.`] : [];
  return section(id, title, { paragraphs, table: createTable(ISSUE_HEAD, mergeGroups(groups), issueRow) });
}

function fieldRows(change: Change): string[][] {
  const show = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
  if (change.fields.length === 0) return [[...changeRow(change), '(refreshed, no field changes)', '', '']];
  return change.fields.map(({ field, before, after }) => [...changeRow(change), field, show(before), show(after)]);
}

const COMPLETE = '✓';

/** Creates a table of the translated fields, and one of the products that are incomplete, worst first. */
export function translationSections(report: TranslationReport, maxRows?: number): ReportSection[] {
  const { mainLanguage, languages, translated, products, fields, gaps, gapCount } = report;
  const rows = [
    { what: 'whole record', counts: translated, of: products },
    ...fields.map(({ field, filled, inMain }) => ({ what: field, counts: filled, of: inMain })),
  ];
  const byField = createTable(['Field', mainLanguage, ...languages], rows, ({ what, counts, of }) => [
    what,
    of,
    ...languages.map((language) => percentOf(counts[language] ?? 0, of)),
  ]);
  const byProduct = createTable(
    ['GTIN', 'Name', ...languages],
    [...Map.groupBy(gaps, ({ gtin }) => gtin).values()],
    (gapsOfProduct) => [
      gapsOfProduct[0]?.gtin ?? '',
      gapsOfProduct[0]?.name ?? '',
      ...languages.map((code) => {
        const gap = gapsOfProduct.find(({ language }) => language === code);
        return gap ? (gap.state === 'untranslated' ? 'not translated' : gap.missing.join(', ')) : COMPLETE;
      }),
    ],
    maxRows,
  );
  const more = gapCount - gaps.length;
  return [
    section('translations', 'Translations by field', {
      paragraphs: [
        `Share of the fields filled in ${mainLanguage} that are also filled in other languages (${products} products).`,
      ],
      table: byField,
    }),
    section('gaps', 'Translations by product, worst first', {
      paragraphs: [
        byProduct
          ? `${COMPLETE} means complete; other cells list the missing fields.`
          : 'Every product is complete in every language.',
        more > 0 ? `${more} more gaps are not listed.` : '',
      ],
      table: byProduct,
    }),
  ];
}

/** Rounds down, so that 100 % means complete. */
export function percentOf(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 100)} %`;
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
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [
    rowOf(head),
    rowOf(isNumber.map((number) => (number ? '---:' : '---'))),
    ...rows.map((row) => rowOf(row.map((cell) => escapeText(String(cell))))),
  ];
  if (omitted > 0) lines.push('', `… and ${omitted} more; report.json lists them.`);
  return lines.join('\n');
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
