import { describeFault } from './describe-fault.ts';

type Log = (line: string) => void;

/** The same fault, such as a database that is down, is written once in this time. */
const PERIOD_MS = 60_000;

const repetitions = new WeakMap<Log, Map<string, number>>();

/**
 * Logs why something failed, such as a request. Whatever else fails for the same reason within a minute is counted, and
 * logged as one line at its end.
 *
 * @param what Begins the line, such as `[GET] "/core/v2/posts" failed`
 */
export function logFault(log: Log, what: string, error: unknown): void {
  const fault = describeFault(error);
  const counts = repetitions.get(log) ?? new Map<string, number>();
  repetitions.set(log, counts);
  const counted = counts.get(fault);
  counts.set(fault, (counted ?? -1) + 1);
  if (counted !== undefined) return;
  log(`${what}: ${fault}`);
  countFor(log, fault, counts);
}

function countFor(log: Log, fault: string, counts: Map<string, number>): void {
  const tell = () => {
    const count = counts.get(fault) ?? 0;
    if (count === 0) return void counts.delete(fault);
    log(`Failed ${count} more ${count === 1 ? 'time' : 'times'} in the last minute: ${fault}`);
    counts.set(fault, 0);
    countFor(log, fault, counts);
  };
  setTimeout(tell, PERIOD_MS).unref();
}
