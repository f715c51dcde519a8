import type { ChangeEntry } from '#catalogue/entries/change-entry.ts';

/**
 * Removes runs without public changes. The digests of the remaining runs are linked, so that the chain is complete.
 * @param runs Newest first.
 */
export function withoutEmptyRuns<Run extends ChangeEntry>(runs: readonly Run[]): Run[] {
  const visible: Run[] = [];
  for (const run of runs) {
    const newer = visible.at(-1);
    if (!run.complete || run.changes.length > 0) visible.push(run);
    else if (newer) visible[visible.length - 1] = { ...newer, previousDigest: run.previousDigest };
  }
  return visible;
}
