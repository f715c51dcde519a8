import { isSortimentError } from '#contracts/index.ts';
import { findDrift, type Drift } from './find-drift.ts';
import type { TranslationReport } from './measure-translations.ts';
import type { AffectedRecords, IssueGroup, SyncReport } from './sync-report.ts';

/** Default limit of rows in a table. */
const MAX_ROWS = 300;

/** Result of a run: its report, or its error. */
export type RunResult =
  | { report: SyncReport }
  | {
      error: unknown;
      startedAt: Date;
      finishedAt: Date;
      /** Issues known at that time. */
      problems?: IssueGroup[];
      warnings?: IssueGroup[];
      unreachable?: IssueGroup[];
      invalidRecords?: AffectedRecords;
      unreachableRecords?: AffectedRecords;
      requests?: number;
      bytes?: number;
    };

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

export interface DocumentContext {
  site: string;
  /** Digest of the snapshot after the run; undefined before the first one. */
  digest: string | undefined;
  translations: TranslationReport | undefined;
}

/** Creates the report document of a run. */
export function describeRun(outcome: RunResult, { site, digest, translations }: DocumentContext): ReportDocument {
  const isFailed = 'error' in outcome;
  const run = isFailed ? failedRun(outcome, digest) : outcome.report;
  return {
    site,
    outcome: isFailed ? 'failed' : run.changed ? 'changed' : 'unchanged',
    error: isFailed ? describeError(outcome.error) : undefined,
    run,
    drift: findDrift(run),
    translations,
  };
}

const NONE = { count: 0, withLastGood: 0 };

function failedRun(failed: Extract<RunResult, { error: unknown }>, digest = ''): SyncReport {
  const { startedAt, finishedAt, problems = [], warnings = [], unreachable = [], requests = 0, bytes = 0 } = failed;
  const { invalidRecords = NONE, unreachableRecords = NONE } = failed;
  return {
    runId: '',
    startedAt: startedAt.toISOString(),
    changed: false,
    digest,
    previousDigest: digest || undefined,
    counts: {},
    changes: [],
    problems,
    warnings,
    unreachable,
    invalidRecords,
    unreachableRecords,
    awaitedRemovals: [],
    alarms: [],
    sources: [],
    resumed: 0,
    uncompared: { count: 0, asOf: undefined },
    unasked: 0,
    assets: { referenced: 0, fetched: 0, unchanged: 0, failed: 0, notAllowed: 0, bytes: 0 },
    hooks: [],
    requests,
    bytes,
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

/** Creates a table of the first items; undefined if there are none. */
export function createTable<T>(
  head: readonly string[],
  items: readonly T[],
  toRow: (item: T) => readonly (string | number)[],
  maxRows: number = MAX_ROWS,
): ReportTable | undefined {
  if (items.length === 0) return undefined;
  return { head, rows: items.slice(0, maxRows).map(toRow), omitted: Math.max(0, items.length - maxRows) };
}
