import { z } from 'zod';
import type { ReportDocument } from './report-document.ts';
import { totalChanges } from './total-changes.ts';

/** Summary of a past run. */
export const pastRun = z.object({
  /** ISO. */
  startedAt: z.iso.datetime(),
  outcome: z.enum(['changed', 'unchanged', 'failed']),
  /** Error code of a failed run. */
  code: z.string().optional(),
  added: z.int().nonnegative(),
  changed: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  alarms: z.int().nonnegative(),
  requests: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  /** Digest of the catalogue after the run. */
  digest: z.string(),
});

export type PastRun = z.infer<typeof pastRun>;

/** Number of runs in the history. */
export const MAX_PAST_RUNS = 60;

/**
 * Reads the runs of a `history.json`, oldest first. Unreadable entries are skipped, so that the history never fails a
 * run.
 */
export function readHistory(text: string | undefined): PastRun[] {
  try {
    const rows: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row) => pastRun.safeParse(row).data ?? []).slice(-MAX_PAST_RUNS);
  } catch {
    return [];
  }
}

/** Appends a run to the history. */
export function extendHistory(past: readonly PastRun[], { outcome, error, run }: ReportDocument): PastRun[] {
  const { startedAt, requests, bytes, durationMs, digest, alarms, counts } = run;
  const last: PastRun = {
    startedAt,
    outcome,
    ...(error && { code: error.code }),
    ...totalChanges(counts),
    alarms: alarms.length,
    requests,
    bytes,
    durationMs,
    digest,
  };
  return [...past, last].slice(-MAX_PAST_RUNS);
}
