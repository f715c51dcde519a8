import { DrizzleQueryError } from 'drizzle-orm';
import { toSingleLine } from '#contracts/scan-text.ts';

type Log = (line: string) => void;

/** Interval in which the same error, such as an unavailable database, is logged once. */
const PERIOD_MS = 60_000;

const repetitions = new WeakMap<Log, Map<string, number>>();

/**
 * Logs an error. Further errors with the same reason are counted for a minute and logged as one line.
 *
 * @param what beginning of the line, such as `[GET] "/core/v2/posts" failed`
 */
export function logError(log: Log, what: string, error: unknown): void {
  const fault = describeError(error);
  const counts = repetitions.get(log) ?? new Map<string, number>();
  repetitions.set(log, counts);
  const previous = counts.get(fault);
  counts.set(fault, (previous ?? -1) + 1);
  if (previous !== undefined) return;
  log(`${what}: ${fault}`);
  const logCount = () => {
    const count = counts.get(fault) ?? 0;
    if (count === 0) return void counts.delete(fault);
    log(`Failed ${count} more ${count === 1 ? 'time' : 'times'} in the last minute: ${fault}`);
    counts.set(fault, 0);
    setTimeout(logCount, PERIOD_MS).unref();
  };
  setTimeout(logCount, PERIOD_MS).unref();
}

/**
 * Describes an error with its causes on one log line. Parameters of a failed statement are omitted, as they may be
 * secrets or complete texts.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return toSingleLine(String(error));
  const { cause } = error;
  // A host with several unreachable addresses: the error itself has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join(', ');
  if (error instanceof DrizzleQueryError && cause !== undefined) return describeError(cause);
  // Other errors may include the message of a failed statement.
  const [message = ''] = error.message.split('\nparams:');
  const summary = toSingleLine(message);
  return cause === undefined ? summary : `${summary}: ${describeError(cause)}`;
}
