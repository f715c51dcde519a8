import path from 'node:path';
import { isSortimentError, SortimentError, describeSystemError } from '#contracts/index.ts';

/**
 * Creates the error for a folder that can't be written: the snapshot folder or one next to it. Returns undefined for
 * other errors. Data written earlier is intact.
 */
export function createStorageError(error: unknown, snapshotPath: string): SortimentError | undefined {
  if (isSortimentError(error)) return undefined;
  const failure = describeSystemError(error);
  return failure?.isStorage ? createUnwritableError(snapshotPath, error) : undefined;
}

/** Creates the error for a snapshot folder that can't be written, for any cause. */
export function createUnwritableError(snapshotPath: string, cause: unknown): SortimentError {
  const failure = describeSystemError(cause);
  const why = failure?.why ?? (cause instanceof Error ? cause.message : 'for an unknown reason');
  const hint = failure?.hint ?? 'Make room there, or give this user the right to write to it.';
  return new SortimentError(
    'SNAPSHOT_UNWRITABLE',
    `The folder ${path.dirname(snapshotPath)} can't be written: ${why}.`,
    {
      hint: `${hint} The previous snapshot is unchanged.`,
      cause,
    },
  );
}
