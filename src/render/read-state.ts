import type { Settings } from '#config/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { openSnapshot, type SnapshotReader } from '#snapshot/index.ts';

export interface SnapshotState {
  digest: string | undefined;
  /** Codes of the languages that are built. */
  languages: string[];
}

/** What has to be known of the snapshot before content is loaded from it. */
export function readState(settings: Settings): SnapshotState {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    return stateOf(snapshot, settings);
  } finally {
    snapshot.close();
  }
}

/** The same of a snapshot that is open already. */
export function stateOf(snapshot: SnapshotReader, { options }: Settings): SnapshotState {
  return { digest: snapshot.digest(), languages: languageCodes(snapshot, options) };
}
