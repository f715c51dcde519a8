import type { Settings } from '../config/index.ts';
import { siteLanguages } from '../loaders/index.ts';
import { openSnapshot } from '../snapshot/index.ts';

export interface SnapshotState {
  digest: string | undefined;
  /** Codes of the languages that are built. */
  languages: string[];
}

/** What has to be known of the snapshot before content is loaded from it. */
export function readState({ snapshotPath, options }: Settings): SnapshotState {
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    return { digest: snapshot.digest(), languages: siteLanguages(snapshot, options).map(({ code }) => code) };
  } finally {
    snapshot.close();
  }
}
