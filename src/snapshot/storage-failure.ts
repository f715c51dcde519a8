import path from 'node:path';
import { isSortimentError, SortimentError, wordSystemError } from '#contracts/index.ts';

/**
 * The error for a folder that can't be written, that of the snapshot or one beside it; undefined for other errors. What
 * was written before is intact.
 */
export function storageFailure(error: unknown, snapshotPath: string): SortimentError | undefined {
  if (isSortimentError(error)) return undefined;
  const found = wordSystemError(error);
  return found?.isStorage ? unwritable(snapshotPath, error) : undefined;
}

/** The error for a snapshot folder that can't be written, whatever the cause. */
export function unwritable(snapshotPath: string, cause: unknown): SortimentError {
  const found = wordSystemError(cause);
  const why = found?.why ?? (cause instanceof Error ? cause.message : 'for an unknown reason');
  const hint = found?.hint ?? 'Make room there, or give this user the right to write to it.';
  return new SortimentError(
    'SNAPSHOT_UNWRITABLE',
    `The folder ${path.dirname(snapshotPath)} can't be written: ${why}.`,
    {
      hint: `${hint} What was synced before is as it was.`,
      cause,
    },
  );
}
