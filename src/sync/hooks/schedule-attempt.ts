export interface FailedAttempt {
  /** In a row before this one. */
  failures: number;
  /** The target says it has too much to do. */
  slowDown?: boolean | undefined;
  /** What it asks for. */
  retryAfterMs?: number | undefined;
}

const SECOND = 1000;
const MAX_RETRY_AFTER_MS = 24 * 3600 * SECOND;
/** How much longer than the schedule a wait may be, so that many senders don't come back together. */
const JITTER = 0.1;
/** Standard Webhooks' schedule: the wait after each failed attempt. After the tenth there is none. */
const SCHEDULE_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * SECOND);

/** So often a message is sent in vain before it is given up. */
export const MAX_ATTEMPTS = SCHEDULE_MS.length + 1;

/**
 * When to try again; undefined when it was tried often enough. A target that has too much to do and doesn't say for
 * how long gets the wait of the next step.
 * @param random From 0 to 1.
 */
export function scheduleAttempt(
  attempt: FailedAttempt,
  now: Date,
  random: () => number = Math.random,
): Date | undefined {
  const { failures, slowDown = false, retryAfterMs } = attempt;
  const regularMs = SCHEDULE_MS[failures];
  if (regularMs === undefined) return undefined;
  const waitMs = slowDown && retryAfterMs === undefined ? (SCHEDULE_MS[failures + 1] ?? regularMs) : regularMs;
  const jitteredMs = Math.round(waitMs * (1 + JITTER * random()));
  return new Date(now.getTime() + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
