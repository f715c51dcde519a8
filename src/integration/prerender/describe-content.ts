import { hash } from 'node:crypto';
import { staleSources, type CollectionEntries } from '../../loaders/index.ts';
import type { SnapshotReader } from '../../snapshot/index.ts';

/** Collections that decide what stands around every page: header, footer, choice of languages. */
const AROUND = ['languages', 'families', 'pages'];

/**
 * Names what a build shows.
 * @param collections As pages read them.
 * @returns `content`: all of it. `frame`: what stands around every page.
 */
export function describeContent(
  snapshot: Pick<SnapshotReader, 'digest' | 'sources'>,
  collections: ReadonlyMap<string, CollectionEntries>,
): { content: string; frame: string } {
  const stale = staleSources(snapshot);
  const around = AROUND.map((collection) =>
    (collections.get(collection) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, data }) => [id, data]),
  );
  const posts = collections.get('posts') ?? [];
  const languages = new Set(posts.map(({ id }) => id.slice(0, id.indexOf('/'))));
  return {
    content: nameContent(snapshot),
    frame: hash('sha1', JSON.stringify([around, [...languages].toSorted(), stale]), 'base64url'),
  };
}

/** Names all that a build shows. */
export function nameContent(snapshot: Pick<SnapshotReader, 'digest' | 'sources'>): string {
  return hash('sha1', JSON.stringify([snapshot.digest(), staleSources(snapshot)]), 'base64url');
}
