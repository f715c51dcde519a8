import { statSync } from 'node:fs';
import { openSnapshot } from './index.ts';

/** The digest of the snapshot; undefined when there is none, or none that can be read at this moment. */
export function readDigest(snapshotPath: string): string | undefined {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      return snapshot.digest();
    } finally {
      snapshot.close();
    }
  } catch {
    // It may be being replaced; `npm run doctor` reports other problems.
    return undefined;
  }
}

/**
 * Describes the files of the snapshot: its own and its log, which is empty or missing after the snapshot was only read.
 * As long as the description is the same, so is the digest.
 */
export function describeWritten(snapshotPath: string): string {
  return JSON.stringify(
    [snapshotPath, `${snapshotPath}-wal`].map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat && stat.size > 0 ? [stat.size, stat.mtimeMs, stat.ino] : undefined;
    }),
  );
}
