export interface HealthInput {
  /** Milliseconds since 1970, like all times here. */
  now: number;
  lastSuccess: number | undefined;
  intervalMs: number;
  digest: string | undefined;
  running: boolean;
  nextRunAt: number | undefined;
  /** Number of consecutive failed runs. */
  failures: number;
}

export interface Health {
  /** `starting`: no sync has finished yet. */
  status: 'ok' | 'starting' | 'stale';
  /** ISO; null before the first successful sync. */
  lastSuccess: string | null;
  ageSeconds: number | null;
  digest: string | null;
  running: boolean;
  /** ISO; null during a run. */
  nextRun: string | null;
  failures: number;
}

/** Returns `ok` while the last successful sync is at most three intervals old. */
export function checkHealth(input: HealthInput): Health {
  const { now, lastSuccess, intervalMs, digest, running, nextRunAt, failures } = input;
  const ageMs = lastSuccess === undefined ? undefined : Math.max(0, now - lastSuccess);
  const isStarting = lastSuccess === undefined && failures === 0;
  return {
    status: isStarting ? 'starting' : ageMs !== undefined && ageMs <= 3 * intervalMs ? 'ok' : 'stale',
    lastSuccess: lastSuccess === undefined ? null : new Date(lastSuccess).toISOString(),
    ageSeconds: ageMs === undefined ? null : Math.round(ageMs / 1000),
    digest: digest ?? null,
    running,
    nextRun: nextRunAt === undefined ? null : new Date(nextRunAt).toISOString(),
    failures,
  };
}
