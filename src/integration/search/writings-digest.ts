import { hash } from 'node:crypto';
import type { SnapshotReader } from '#snapshot/index.ts';

/** Names everything that the search knows of posts and pages is made of. */
export function writingsDigest(snapshot: Pick<SnapshotReader, 'posts' | 'pages' | 'terms'>): string {
  const digests = [snapshot.posts(), snapshot.pages(), snapshot.terms()].map((rows) =>
    [...rows].map(({ id, digest }) => [id, digest]),
  );
  return hash('sha1', JSON.stringify(digests), 'base64url');
}
