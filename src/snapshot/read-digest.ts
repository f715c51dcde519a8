import { statSync } from 'node:fs';
import { openSnapshot } from './index.ts';

/** Returns the digest of the snapshot, or undefined if it is missing or currently unreadable. */
export function readDigest(snapshotPath: string): string | undefined {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      return snapshot.digest();
    } finally {
      snapshot.close();
    }
  } catch {
    // The file may be being replaced. `npm run doctor` reports other problems.
    return undefined;
  }
}

/**
 * Describes size and date of the snapshot file and its log. The log is empty or missing after the snapshot was only
 * read. While the description is unchanged, the digest is too.
 */
export function describeSnapshotFiles(snapshotPath: string): string {
  return JSON.stringify(
    [snapshotPath, `${snapshotPath}-wal`].map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat && stat.size > 0 ? [stat.size, stat.mtimeMs, stat.ino] : undefined;
    }),
  );
}
