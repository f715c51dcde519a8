import { isSortimentError, SortimentError } from '#contracts/index.ts';
import type { SourceReport } from './report/sync-report.ts';
import type { SyncRun } from './sync-options.ts';

export interface SourceRead<T> {
  /** Undefined if the run continues without the source. */
  read: T | undefined;
  report: SourceReport;
}

/** Returns the kinds of records that a source provides. */
function kindsOf(name: SourceReport['name'], { kinds }: SyncRun): string[] {
  if (name === 'product') return ['product', 'language', 'family', 'assortment'];
  return ['site', ...kinds.content.map(({ kind }) => kind)];
}

const HOUR_MS = 3_600_000;

/**
 * Reads a source. On failure, throws or continues with the stored content, as configured.
 * @throws SortimentError The read error, if the run can't or must not continue.
 */
export async function readSource<T>(
  run: SyncRun,
  name: SourceReport['name'],
  read: () => Promise<T>,
): Promise<SourceRead<T>> {
  const lastSuccess = run.snapshot.sources().find((source) => source.name === name)?.lastSuccess;
  try {
    const value = await read();
    return {
      read: value,
      report: { name, outcome: 'read', asOf: run.startedAt.toISOString(), problem: undefined },
    };
  } catch (error) {
    if (!isSortimentError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const outcome = outcomeOf(run, name, lastSuccess, error);
    run.staging.dropKinds(kindsOf(name, run));
    const problem = error.message;
    run.logger.warn(`The ${name} source can't be read; continuing with its stored content.\n${problem}`);
    return { read: undefined, report: { name, outcome, asOf: lastSuccess, problem } };
  }
}

/** Temporary failures, during which stored content is acceptable. */
const TEMPORARY_CODES = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_THROTTLED']);

/** Adds the option that continues without the source to the hint of an error. */
function withAlternative({ productBase }: SyncRun, name: SourceReport['name'], error: SortimentError): SortimentError {
  const hasProducts = name === 'publishing' && productBase !== undefined;
  const message = hasProducts ? `${error.message}\nProduct changes are delayed until it can be read.` : error.message;
  const hint = `To continue with its stored content, set \`sync.sources.${name}.whenDown: 'use-last-good'\`.`;
  return new SortimentError(error.code, message, { hint: [error.hint, hint].filter(Boolean).join(' '), cause: error });
}

function outcomeOf(
  run: SyncRun,
  name: SourceReport['name'],
  lastSuccess: string | undefined,
  error: SortimentError,
): 'last-good' | 'skipped' {
  const { whenDown, maxAgeHours } = run.settings.options.sync.sources[name];
  if (whenDown === 'skip') return 'skipped';
  if (lastSuccess === undefined) throw error;
  if (whenDown === 'fail') throw TEMPORARY_CODES.has(error.code) ? withAlternative(run, name, error) : error;
  const ageHours = (run.startedAt.getTime() - Date.parse(lastSuccess)) / HOUR_MS;
  if (ageHours <= maxAgeHours) return 'last-good';
  throw new SortimentError(
    error.code,
    `${error.message}\nThe stored content of the ${name} source is ${Math.round(ageHours)} hours old; the limit is ${maxAgeHours}.`,
    { hint: error.hint },
  );
}
