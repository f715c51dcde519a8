import { describeError } from './describe-error.ts';

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
  countFor(log, fault, counts);
}

function countFor(log: Log, fault: string, counts: Map<string, number>): void {
  const logCount = () => {
    const count = counts.get(fault) ?? 0;
    if (count === 0) return void counts.delete(fault);
    log(`Failed ${count} more ${count === 1 ? 'time' : 'times'} in the last minute: ${fault}`);
    counts.set(fault, 0);
    countFor(log, fault, counts);
  };
  setTimeout(logCount, PERIOD_MS).unref();
}
