/** Why a run is made. */
export type RunReason = 'start' | 'interval' | 'webhook' | 'retry';

/** `busy`: somebody else was at it, so nothing is known yet. */
export type RunOutcome = 'good' | 'failed' | 'busy';

export interface RunQueueOptions {
  run: (reason: RunReason) => Promise<RunOutcome>;
  /** Between the end of a run and the start of the next, give or take a tenth. */
  intervalMs: number;
  /** A run that was asked for starts when nobody has asked again for so long. @default 500 */
  quietMs?: number | undefined;
  /** But no later than so long after it was first asked for. @default 5000 */
  maxWaitMs?: number | undefined;
  /** Wait after a run that found somebody else at it, unless the interval is shorter. @default 10000 */
  busyMs?: number | undefined;
  /** After runs in a row that fail the wait doubles, up to this or the interval. @default an hour */
  maxBackoffMs?: number | undefined;
  /** From 0 to 1. @default Math.random */
  random?: (() => number) | undefined;
}

export interface RunQueue {
  /** Makes the first run, at once. */
  start(): void;
  /** Asks for a run soon, once it has started. However often it is called, at most one run is going and one waiting. */
  request(): void;
  readonly running: boolean;
  /** Milliseconds since 1970; undefined while there is no run planned. */
  readonly nextRunAt: number | undefined;
  /** Runs in a row that have failed. */
  readonly failures: number;
  /** Plans nothing more. @returns when the run that is going has ended */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Timers that would take longer end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs one thing again and again: on an interval, soon after it is asked to, never twice at once. */
export function createRunQueue(options: RunQueueOptions): RunQueue {
  const { run, intervalMs, quietMs = 500, maxWaitMs = 5000, busyMs = 10_000, random = Math.random } = options;
  const maxBackoffMs = Math.max(options.maxBackoffMs ?? HOUR_MS, intervalMs);
  let running: Promise<void> | undefined;
  let started = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let nextRunAt: number | undefined;
  let failures = 0;
  /** When a run was first and last asked for that has not begun. */
  let asked: { first: number; last: number } | undefined;
  let regular: { at: number; reason: RunReason } = { at: 0, reason: 'start' };

  const plan = (): void => {
    clearTimeout(timer);
    nextRunAt = undefined;
    if (!started || closed || running) return;
    const soon = asked ? Math.min(asked.last + quietMs, asked.first + maxWaitMs) : Number.POSITIVE_INFINITY;
    nextRunAt = Math.min(soon, regular.at);
    const reason = soon < regular.at ? 'webhook' : regular.reason;
    timer = setTimeout(() => begin(reason), Math.max(0, nextRunAt - Date.now()));
  };

  const begin = (reason: RunReason): void => {
    asked = undefined;
    nextRunAt = undefined;
    running = run(reason)
      .catch((): RunOutcome => 'failed')
      .then((outcome) => {
        running = undefined;
        if (outcome !== 'busy') failures = outcome === 'good' ? 0 : failures + 1;
        regular = { at: Date.now() + waitAfter(outcome), reason: outcome === 'good' ? 'interval' : 'retry' };
        plan();
      });
  };

  const waitAfter = (outcome: RunOutcome): number => {
    const waitMs =
      outcome === 'busy' ? Math.min(busyMs, intervalMs) : Math.min(intervalMs * 2 ** failures, maxBackoffMs);
    return Math.min(waitMs * (0.9 + random() * 0.2), LONGEST_TIMER_MS);
  };

  return {
    start: () => {
      started = true;
      plan();
    },
    request: () => {
      const now = Date.now();
      asked = { first: asked?.first ?? now, last: now };
      plan();
    },
    get running() {
      return running !== undefined;
    },
    get nextRunAt() {
      return nextRunAt;
    },
    get failures() {
      return failures;
    },
    close: async () => {
      closed = true;
      plan();
      await running;
    },
  };
}
