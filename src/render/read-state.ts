import type { Settings } from '#config/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { openSnapshot, type SnapshotReader } from '#snapshot/index.ts';

/** Reads the digest of the snapshot and the languages to build, before any content is loaded. */
export function readSnapshotState(settings: Settings): ReturnType<typeof getSnapshotState> {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  try {
    return getSnapshotState(snapshot, settings);
  } finally {
    snapshot.close();
  }
}

/** Reads the same from an open snapshot. */
export function getSnapshotState(
  snapshot: SnapshotReader,
  { options }: Settings,
): { digest: string | undefined; languages: string[] } {
  return { digest: snapshot.digest(), languages: languageCodes(snapshot, options) };
}
