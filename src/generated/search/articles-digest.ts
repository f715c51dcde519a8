import { hash } from 'node:crypto';
import { CATEGORY, PAGE, POST, TAG, type SyncedKind } from '#contracts/synced/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** What the search tells of. */
const SEARCHED: readonly SyncedKind[] = [POST, PAGE, CATEGORY, TAG];

/** Names everything that the search knows of posts and pages is made of. */
export function articlesDigest(snapshot: Pick<SnapshotReader, 'records'>): string {
  const digests = SEARCHED.map((kind) => [...snapshot.records(kind)].map(({ id, digest }) => [id, digest]));
  return hash('sha1', JSON.stringify(digests), 'base64url');
}
