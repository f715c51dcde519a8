import { displayUrl } from '#client/upstream-result.ts';
import type { ProductFields } from '#config/index.ts';
import { countNoun, formatIssueLines, isMap } from '#contracts/index.ts';
import { PRODUCT_FIELDS, getFieldUnit, type ProductRecord } from '#contracts/product/index.ts';
import { SYNCED_KINDS } from '#contracts/synced/index.ts';
import { normaliseDecimal, type StagedChange } from '#snapshot/index.ts';
import { excludeDrift, findDrift, mergeGroups, type DriftClass } from './collect-issues.ts';
import {
  summariseRun,
  type Alarm,
  type Change,
  type SourceReport,
  type SyncReport,
  type AwaitedRemoval,
  type FieldChange,
  type AffectedRecords,
  type IssueGroup,
} from './sync-report.ts';

const MAX_TEXT_LENGTH = 160;
/** Number of common characters shown before the first difference. */
const CONTEXT_LENGTH = 20;

/**
 * Lists the fields in which two records differ. Compares members of objects, and items of lists of equal length; other
 * lists as a whole. Missing values, `null` and empty texts are equal.
 */
export function diffFields(before: unknown, after: unknown, field = ''): FieldChange[] {
  if (isEmpty(before) && isEmpty(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, i) => diffFields(item, after[i], `${field}[${i}]`));
  }
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diffFields(before[name], after[name], field ? `${field}.${name}` : name));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [shownBefore, shownAfter] = shorten(before, after);
  return [{ field, before: shownBefore, after: shownAfter }];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Truncates long texts around their first difference, and converts lists and objects to text. */
function shorten(before: unknown, after: unknown): [unknown, unknown] {
  const [a, b] = [toText(before), toText(after)];
  if ([a, b].every((text) => typeof text !== 'string' || text.length <= MAX_TEXT_LENGTH)) return [a, b];
  const start = Math.max(0, commonStart(String(a ?? ''), String(b ?? '')) - CONTEXT_LENGTH);
  return [cut(a, start), cut(b, start)];
}

function toText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function cut(value: unknown, start: number): unknown {
  if (typeof value !== 'string') return value;
  const end = start + MAX_TEXT_LENGTH;
  return (start > 0 ? '…' : '') + value.slice(start, end) + (end < value.length ? '…' : '');
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const NOUNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SYNCED_KINDS.map(({ kind, noun }) => [kind, noun])),
  product: 'product record',
  language: 'language',
  family: 'family',
  assortment: 'list of products',
  site: 'name of the site',
  asset: 'file',
  hook: 'hook',
  source: 'source',
  local: 'link',
  'local-page': 'local page',
};

/** Longer lists are less useful than their counts. */
const MAX_LINES = 200;
const MAX_ADDED_LINES = 20;
const MAX_AWAITED_LINES = 20;

const DRIFT: Record<DriftClass, string> = {
  'new-field': 'New fields of the product interface (not shown on the site)',
  'new-value': 'New values of the product interface',
  'changed-type': 'Value types that the product interface does not document',
};

/**
 * Formats the report for the terminal: alarms, one line per change (`changed 9524010000016 de-de Vario 75:
 * price 142.5 -> 149.9`), issues with advice, the path of the full report, and a one-line summary.
 */
export function formatReport(report: SyncReport): string {
  const drift = Map.groupBy(findDrift({ problems: [], warnings: report.warnings }), (group) => group.class);
  const sections = [
    report.alarms.map((alarm) => `ALARM: ${describeAlarm(alarm)}`).join('\n'),
    formatChanges(report.changes),
    withTitle('Removals awaiting confirmation', formatAwaited(report)),
    report.sources.flatMap(formatSource).join('\n'),
    withTitle(`Not readable: ${countAffected(report.unreachableRecords)}`, formatIssues(report.unreachable)),
    withTitle(`Invalid: ${countAffected(report.invalidRecords)}`, formatIssues(report.problems)),
    ...[...drift].map(([kind, groups]) => withTitle(DRIFT[kind], formatIssues(groups))),
    withTitle('Warnings', formatIssues(excludeDrift(report.warnings))),
  ].filter(Boolean);
  const pointer = sections.length > 0 && report.reportFile ? [`Full report: ${report.reportFile}`] : [];
  const unused = report.sources.map(describeUnused).filter(Boolean);
  return [...sections, ...pointer, ...unused, summariseRun(report)].join('\n').replace(CONTROLS, '');
}

/** Control characters: a name must not move the cursor, change colours or reverse the writing direction. */
const CONTROLS = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

function withTitle(title: string, lines: string): string {
  return lines && `${title}:\n${lines}`;
}

function formatAwaited({ awaitedRemovals }: SyncReport): string {
  const lines = awaitedRemovals.slice(0, MAX_AWAITED_LINES).map((awaited) => {
    return `  ${awaited.gtin} ${awaited.language}: ${describeAwaitedRemoval(awaited)}`;
  });
  const rest = awaitedRemovals.length - lines.length;
  return [...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n');
}

function formatSource({ name, outcome, asOf, problem }: SourceReport): string[] {
  if (outcome === 'read') return [];
  const state = asOf === undefined ? 'was never read' : `its content of ${asOf} stays`;
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
  if (shown.length > MAX_LINES) lines.push(`… and ${shown.length - MAX_LINES} more; use --json to list all`);
  return lines.join('\n');
}

function formatChange({ change, kind, id, language, name, fields }: Change): string {
  const what = [change, ...(kind === 'product' ? [] : [kind]), id, language, name].filter(Boolean).join(' ');
  if (change !== 'changed') return what;
  if (fields.length === 0) return `${what}: refreshed, no field changes`;
  return `${what}: ${fields.map(({ field, before, after }) => `${field} ${show(before)} -> ${show(after)}`).join(', ')}`;
}

function countAdded(added: readonly Change[]): string[] {
  return Object.entries(countChanges(added)).flatMap(([kind, byLanguage]) =>
    Object.entries(byLanguage).map(
      ([language, counts]) => `added ${countRecords(counts.added, kind)}${language && ` in ${language}`}`,
    ),
  );
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  const text = String(value).replace(/\s+/g, ' ');
  return typeof value === 'string' && /\s/.test(text) ? `"${text}"` : text;
}

/** Describes unused namespaces, from which an editor may expect content. */
export function describeUnused({ unused = [] }: Pick<SourceReport, 'unused'>): string {
  return unused.length === 0 ? '' : `Unused namespaces of the publishing site: ${unused.join(', ')}.`;
}

/** Adds changes to earlier counts. */
export function countChanges(changes: readonly Change[], earlier: SyncReport['counts'] = {}): SyncReport['counts'] {
  const counts = structuredClone(earlier);
  for (const { kind, language = '', change } of changes) {
    const tally = ((counts[kind] ??= {})[language] ??= { added: 0, changed: 0, removed: 0 });
    tally[change] += 1;
  }
  return counts;
}

export function describeAlarm({ url, gtins, before, after, accept, acceptAll }: Alarm): string {
  const owners = gtins.length > 0 ? ` of ${gtins.join(', ')}` : '';
  const bytes = `${before.slice(0, 12)} -> ${after.slice(0, 12)}`;
  const acceptAllHint = acceptAll === undefined ? '' : ` (all pending ones: \`--accept ${acceptAll}\`)`;
  const advice =
    accept === undefined ? '' : ` If the new version is right, sync once with \`--accept ${accept}\`${acceptAllHint}.`;
  return `The declaration of performance ${url}${owners} has changed at its source (${bytes}). It must stay as published, so the published version stays. Ask its manufacturer.${advice}`;
}

export function describeAwaitedRemoval({ since, runs, runsLeft, notBefore }: AwaitedRemoval): string {
  const seen = `missing since ${since}, in ${runs} ${runs === 1 ? 'sync' : 'syncs in a row'}`;
  const when =
    runsLeft === 1
      ? `at the next sync after ${notBefore}`
      : `in ${runsLeft} more syncs, the last of them after ${notBefore}`;
  return `${seen}; it will be removed if it is still missing ${when}`;
}

/**
 * Describes a staged change for the report: its name and the fields that differ.
 * @param productFields Further fields of products, which the report names as the options do.
 */
export function describeChange(staged: StagedChange, productFields: ProductFields = {}): Change {
  const { kind, language, change, before, after } = staged;
  const id = kind === 'asset' ? displayUrl(staged.id) : staged.id;
  const files = staged.files ?? [];
  const diffOfFiles = files.flatMap((file) =>
    diffFields(shortDigest(file.before), shortDigest(file.after), file.field),
  );
  const fields = change === 'changed' ? [...diffOf(kind, before, after, productFields), ...diffOfFiles] : [];
  return { kind, id, language, name: nameOf(kind, after ?? before), change, fields };
}

function diffOf(kind: Change['kind'], before: unknown, after: unknown, productFields: ProductFields): FieldChange[] {
  if (kind === 'asset') return diffFields(shortDigest(before), shortDigest(after), 'content');
  const fields = diffFields(before, after);
  return kind === 'product' ? [...fields.filter(isProductChange), ...diffExtra(before, after, productFields)] : fields;
}

/** Lists the changes of declared fields. */
function diffExtra(before: unknown, after: unknown, productFields: ProductFields): FieldChange[] {
  const [old, now]: Pick<ProductRecord, 'extra'>[] = [Object(before), Object(after)];
  return Object.entries(productFields).flatMap(([name, { source = name }]) =>
    diffFields(old?.extra?.[source], now?.extra?.[source], name),
  );
}

function shortDigest(content: unknown): unknown {
  return typeof content === 'string' && /^[0-9a-f]{64}$/.test(content) ? content.slice(0, 12) : content;
}

/** False for unknown fields and for equal quantities such as `"25.000"` and `25`. */
function isProductChange({ field, before, after }: FieldChange): boolean {
  const name = PRODUCT_FIELDS.find((known) => known === field.split(/[.[]/, 1)[0]);
  if (!name) return false;
  return !getFieldUnit(name).unit || normaliseDecimal(String(before)) !== normaliseDecimal(String(after));
}

function nameOf(kind: Change['kind'], record: unknown): string {
  if (kind === 'asset' || typeof record !== 'object' || record === null) return '';
  if ('title' in record) return String(record.title);
  if ('name' in record) return String(record.name);
  if ('names' in record && typeof record.names === 'object') return String(Object.values(record.names ?? {})[0] ?? '');
  return '';
}

function countRecords(count: number, kind: string): string {
  return countNoun(count, NOUNS[kind] ?? `${kind} record`);
}

/** Formats grouped issues: the problem, the number of records, examples and advice. */
export function formatIssues(groups: readonly IssueGroup[]): string {
  return formatIssueLines(
    mergeGroups(groups)
      .toSorted((a, b) => b.count - a.count)
      .map(({ kind, field, problem, advice, count, examples }) => ({
        who: countRecords(count, kind),
        what: [field, problem].filter(Boolean).join(' '),
        examples,
        more: count - examples.length,
        advice,
      })),
  );
}

/** Formats the number of records: `6 records, 4 of which keep their last good version; 2 are not on the site`. */
export function countAffected({ count, withLastGood }: AffectedRecords): string {
  const all = countNoun(count, 'record');
  const lost = count - withLastGood;
  if (lost === 0) return `${all}; ${count === 1 ? 'its last good version stays' : 'their last good versions stay'}`;
  if (withLastGood === 0) return `${all}, not on the site`;
  return `${all}; ${withLastGood} keep${withLastGood === 1 ? 's its' : ' their'} last good version, ${lost} ${lost === 1 ? 'is' : 'are'} not on the site`;
}
