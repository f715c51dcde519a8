import { z } from 'zod';
import type { ReportDocument } from './report-document.ts';
import { totalChanges } from './total-changes.ts';

/** One run among the last ones. */
export const pastRun = z.object({
  /** ISO. */
  startedAt: z.iso.datetime(),
  outcome: z.enum(['changed', 'unchanged', 'failed']),
  /** The error's, of failed runs. */
  code: z.string().optional(),
  added: z.int().nonnegative(),
  changed: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  alarms: z.int().nonnegative(),
  requests: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  /** Of the catalogue after the run. */
  digest: z.string(),
});

export type PastRun = z.infer<typeof pastRun>;

/** Runs that are kept. */
export const MAX_PAST_RUNS = 60;

/**
 * The runs in a `history.json`, oldest first. Unreadable entries are left out: the history must not make a run fail.
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

/** The history with one more run. */
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
