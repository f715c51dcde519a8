import { isSortimentError, SortimentError } from '#contracts/index.ts';
import type { SourceReport } from './report/sync-report.ts';
import type { SyncRun } from './sync-run.ts';

export interface SourceRead<T> {
  /** Undefined when the run continues without the source. */
  read: T | undefined;
  report: SourceReport;
}

/** Tables that each source fills. */
function kindsOf(name: SourceReport['name'], { kinds }: SyncRun): string[] {
  if (name === 'product') return ['product', 'language', 'family', 'assortment'];
  return ['site', ...kinds.content.map(({ kind }) => kind)];
}

const HOUR_MS = 3_600_000;

/**
 * Reads a source; if it can't be read, fails or continues with the stored content, as the options say.
 * @throws SortimentError The error of reading, when the run can't or must not continue.
 */
export async function readSource<T>(
  run: SyncRun,
  name: SourceReport['name'],
  read: () => Promise<T>,
): Promise<SourceRead<T>> {
  const before = run.snapshot.sources().find((source) => source.name === name)?.lastSuccess;
  try {
    const value = await read();
    return {
      read: value,
      report: { name, outcome: 'read', asOf: run.startedAt.toISOString(), problem: undefined },
    };
  } catch (error) {
    if (!isSortimentError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const outcome = outcomeOf(run, name, before, error);
    run.staging.dropKinds(kindsOf(name, run));
    const problem = error.message;
    run.logger.warn(`The ${name} source can't be read; continuing with its stored content.\n${problem}`);
    return { read: undefined, report: { name, outcome, asOf: before, problem } };
  }
}

/** What heals by itself, so that it makes sense to go on with stored content until then. */
const IS_DOWN = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_THROTTLED']);

/** The same error with the option by which a run goes on without the source. */
function withAlternative({ productBase }: SyncRun, name: SourceReport['name'], error: SortimentError): SortimentError {
  const others = name === 'publishing' && productBase !== undefined;
  const message = others ? `${error.message}\nChanges of products wait until it can be read.` : error.message;
  const hint = `To go on with what is stored of this source meanwhile, set \`sync.sources.${name}.whenDown: 'use-last-good'\`.`;
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
  if (whenDown === 'fail') throw IS_DOWN.has(error.code) ? withAlternative(run, name, error) : error;
  const ageHours = (run.startedAt.getTime() - Date.parse(lastSuccess)) / HOUR_MS;
  if (ageHours <= maxAgeHours) return 'last-good';
  throw new SortimentError(
    error.code,
    `${error.message}\nThe stored content of the ${name} source is ${Math.round(ageHours)} hours old; the limit is ${maxAgeHours}.`,
    { hint: error.hint },
  );
}
