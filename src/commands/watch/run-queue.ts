/** Trigger of a run. */
export type RunReason = 'start' | 'interval' | 'webhook' | 'retry';

/** `busy`: another process was running, so the result is unknown. */
export type RunOutcome = 'good' | 'failed' | 'busy';

export interface RunQueueOptions {
  run: (reason: RunReason) => Promise<RunOutcome>;
  /** Delay between the end of a run and the start of the next, plus or minus a tenth. */
  intervalMs: number;
  /** A requested run starts once there was no further request for this long. @default 500 */
  quietMs?: number | undefined;
  /** Maximum delay of a requested run after its first request. @default 5000 */
  maxWaitMs?: number | undefined;
  /** Delay after a busy run, unless the interval is shorter. @default 10000 */
  busyMs?: number | undefined;
  /** The delay doubles after consecutive failures, up to this value or the interval. @default an hour */
  maxBackoffMs?: number | undefined;
  /** Returns a number from 0 to 1. @default Math.random */
  random?: (() => number) | undefined;
}

export type RunQueue = ReturnType<typeof createRunQueue>;

const HOUR_MS = 3_600_000;
/** Longer delays would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Repeats a task on an interval and on request, without overlapping runs. */
export function createRunQueue(options: RunQueueOptions) {
  const { run, intervalMs, quietMs = 500, maxWaitMs = 5000, busyMs = 10_000, random = Math.random } = options;
  const maxBackoffMs = Math.max(options.maxBackoffMs ?? HOUR_MS, intervalMs);
  let running: Promise<void> | undefined;
  let started = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let nextRunAt: number | undefined;
  let failures = 0;
  /** First and last request for the pending run. */
  let pending: { first: number; last: number } | undefined;
  let regular: { at: number; reason: RunReason } = { at: 0, reason: 'start' };

  const plan = (): void => {
    clearTimeout(timer);
    nextRunAt = undefined;
    if (!started || closed || running) return;
    const soon = pending ? Math.min(pending.last + quietMs, pending.first + maxWaitMs) : Number.POSITIVE_INFINITY;
    nextRunAt = Math.min(soon, regular.at);
    const reason = soon < regular.at ? 'webhook' : regular.reason;
    timer = setTimeout(() => startRun(reason), Math.max(0, nextRunAt - Date.now()));
  };

  const startRun = (reason: RunReason): void => {
    pending = undefined;
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
    /** Starts the first run immediately. */
    start: () => {
      started = true;
      plan();
    },
    /** Requests a run soon. However often it is called, at most one run is active and one is waiting. */
    request: () => {
      const now = Date.now();
      pending = { first: pending?.first ?? now, last: now };
      plan();
    },
    get running() {
      return running !== undefined;
    },
    /** Milliseconds since 1970; undefined if no run is planned. */
    get nextRunAt() {
      return nextRunAt;
    },
    /** Number of consecutive failed runs. */
    get failures() {
      return failures;
    },
    /** Stops planning, and waits for the end of the active run. */
    close: async () => {
      closed = true;
      plan();
      await running;
    },
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses `30s`, `5m`, `1.5h` to milliseconds; a number alone means seconds. Returns undefined if invalid or too long.
 */
export function parseInterval(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const intervalMs = Math.round(Number(amount) * (UNIT_MS[unit] ?? Number.NaN));
  return intervalMs > 0 && intervalMs <= LONGEST_TIMER_MS ? intervalMs : undefined;
}
