import type { Settings } from '#config/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { openSnapshot, type SnapshotReader } from '#snapshot/index.ts';

/** What has to be known of the snapshot before content is loaded from it: its digest, and the languages that are built. */
export function readState(settings: Settings): ReturnType<typeof stateOf> {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    return stateOf(snapshot, settings);
  } finally {
    snapshot.close();
  }
}

/** The same of a snapshot that is open already. */
export function stateOf(
  snapshot: SnapshotReader,
  { options }: Settings,
): { digest: string | undefined; languages: string[] } {
  return { digest: snapshot.digest(), languages: languageCodes(snapshot, options) };
}
