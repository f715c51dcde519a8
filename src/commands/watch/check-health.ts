export interface HealthInput {
  /** Milliseconds since 1970, like all times here. */
  now: number;
  lastSuccess: number | undefined;
  intervalMs: number;
  digest: string | undefined;
  running: boolean;
  nextRunAt: number | undefined;
  /** Runs in a row that have failed. */
  failures: number;
}

export interface Health {
  status: 'ok' | 'stale';
  /** ISO; null before the first good sync. */
  lastSuccess: string | null;
  ageSeconds: number | null;
  digest: string | null;
  running: boolean;
  /** ISO; null while one is going. */
  nextRun: string | null;
  failures: number;
}

/** Well, as long as the last good sync is no older than three intervals. */
export function checkHealth(input: HealthInput): Health {
  const { now, lastSuccess, intervalMs, digest, running, nextRunAt, failures } = input;
  const ageMs = lastSuccess === undefined ? undefined : Math.max(0, now - lastSuccess);
  return {
    status: ageMs !== undefined && ageMs <= 3 * intervalMs ? 'ok' : 'stale',
    lastSuccess: lastSuccess === undefined ? null : new Date(lastSuccess).toISOString(),
    ageSeconds: ageMs === undefined ? null : Math.round(ageMs / 1000),
    digest: digest ?? null,
    running,
    nextRun: nextRunAt === undefined ? null : new Date(nextRunAt).toISOString(),
    failures,
  };
}
