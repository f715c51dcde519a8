import path from 'node:path';
import { isSortimentError, SortimentError, wordSystemError } from '#contracts/index.ts';

/**
 * The error for a folder that can't be written, of the snapshot or of what lies beside it; undefined when something
 * else has gone wrong. What was written before is whole.
 */
export function storageFailure(error: unknown, snapshotPath: string): SortimentError | undefined {
  if (isSortimentError(error)) return undefined;
  const found = wordSystemError(error);
  return found?.isStorage ? unwritable(snapshotPath, error) : undefined;
}

/** The error for what keeps the folder of the snapshot from being written, whatever it is. */
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
