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
