import type { ChangeEntry } from '#model/change-entry.ts';

/**
 * Leaves out runs without a single change that the site shows. The run after such a one follows the run before it, so
 * that digests still link the runs.
 * @param runs Newest first.
 */
export function withoutEmptyRuns<Run extends ChangeEntry>(runs: readonly Run[]): Run[] {
  const shown: Run[] = [];
  for (const run of runs) {
    const newer = shown.at(-1);
    if (!run.complete || run.changes.length > 0) shown.push(run);
    else if (newer) shown[shown.length - 1] = { ...newer, previousDigest: run.previousDigest };
  }
  return shown;
}
