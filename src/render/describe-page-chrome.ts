import { hash } from 'node:crypto';
import { staleSources } from '#projection/stale-sources.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** Collections that decide what stands around every page: header, footer, choice of languages. */
const AROUND = ['languages', 'families', 'pages'];

/** Names what stands around every page. @param collections As pages read them. */
export function describePageChrome(
  snapshot: Pick<SnapshotReader, 'sources'>,
  collections: ReadonlyMap<string, CollectionEntries>,
): string {
  const around = AROUND.map((collection) => digestOf(collections.get(collection) ?? []));
  const posts = collections.get('posts') ?? [];
  const languages = new Set(posts.map(({ id }) => id.slice(0, id.indexOf('/'))));
  const podcasts = (collections.get('podcasts') ?? []).map(({ id }) => id);
  const parts = [around, [...languages].toSorted(), podcasts.toSorted(), staleSources(snapshot)];
  return hash('sha1', JSON.stringify(parts), 'base64url');
}

const digests = new WeakMap<CollectionEntries, string>();

/** A process that goes on building has the same entries again and again. */
function digestOf(entries: CollectionEntries): string {
  const sorted = () => entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, data }) => [id, data]);
  const digest = digests.get(entries) ?? hash('sha1', JSON.stringify(sorted()), 'base64url');
  digests.set(entries, digest);
  return digest;
}
