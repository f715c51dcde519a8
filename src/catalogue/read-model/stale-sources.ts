import type { z } from 'zod';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { snapshotEntry } from '#catalogue/entries/entries.ts';

/** Sources that the last run couldn't read, with the ISO timestamp of their stored content. */
export function listStaleSources(snapshot: Pick<SnapshotReader, 'sources'>) {
  return snapshot
    .sources()
    .filter(({ failedSince }) => failedSince !== undefined)
    .map(({ name, lastSuccess }) => ({ name, asOf: lastSuccess })) satisfies z.input<typeof snapshotEntry>['stale'];
}
