import { hash } from 'node:crypto';
import type { LoaderContext } from 'astro/loaders';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { Settings } from '#config/index.ts';
import { runLoaders } from '#loaders/run-loaders.ts';
import type { projectedLoader } from '#loaders/projected-loader.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { withReadCache, type ChangeCursor, type SnapshotReader } from '#snapshot/index.ts';
import { areCurrent, type CachedCollections } from './cached-collections.ts';

export interface CurrentCollections {
  /** Collections of the snapshot, ready to cache. */
  loaded: CachedCollections;
  /** All collections, as pages read them. */
  provided: ReadonlyMap<string, CollectionEntries>;
  /** Digests of the snapshot's collections. */
  digests: Record<string, string>;
  /** True if the snapshot's collections equal the cached ones, except for those that every run changes. */
  areCached: boolean;
}

/**
 * Returns the collections of the snapshot and the project. Loads those of the snapshot only if its records have
 * changed.
 */
export async function currentCollections(
  settings: Settings,
  {
    snapshot,
    cursor,
    cached,
    projectCollections,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Current position in the snapshot's change log. */
    cursor: ChangeCursor;
    cached: CachedCollections | undefined;
    projectCollections: ReadonlyMap<string, CollectionEntries>;
    warn: (message: string) => void;
  },
): Promise<CurrentCollections> {
  const { options } = settings;
  const current = cached && areCurrent(cached, snapshot) ? cached : undefined;
  const warnings = [...(current?.warnings ?? [])];
  const collections = new Map(current?.collections);
  const source: LoaderSource = {
    // Articles link to each other, so every loader reads all of them.
    snapshot: withReadCache(snapshot),
    options,
    languages: languageCodes(snapshot, options),
    warn: (message) => void warnings.push(message),
  };
  // Cached collections are still valid, except for those of runs.
  const loaders: Readonly<Record<string, SnapshotLoader>> = current
    ? runLoaders(options)
    : (await import('#loaders/snapshot-loaders.ts')).snapshotLoaders(options);
  for (const [collection, loader] of Object.entries(loaders)) {
    const before = cached?.collections.get(collection) ?? [];
    collections.set(collection, await load(loader, collection, before, source));
  }
  for (const message of warnings) warn(message);
  return {
    loaded: { cursor, files: current?.files ?? snapshot.describeArticleFiles(), collections, warnings },
    provided: new Map([...collections, ...projectCollections]),
    digests: Object.fromEntries([...collections].map(([name, entries]) => [name, digestOf(entries)])),
    areCached: current !== undefined,
  };
}

function digestOf(entries: CollectionEntries): string {
  return hash('sha1', JSON.stringify(entries.map(({ id, data, digest }) => [id, digest ?? data])), 'base64url');
}

type SnapshotLoader = Pick<ReturnType<typeof projectedLoader>, 'schema' | 'project'>;

/** Runs a snapshot loader without Astro and reuses unchanged entries. */
async function load(
  loader: SnapshotLoader,
  collection: string,
  before: CollectionEntries,
  source: LoaderSource,
): Promise<CollectionEntries> {
  const entries = new Map(before.map((entry) => [entry.id, entry]));
  // The loader reads each entry in order.
  const order = new Set<string>();
  const logger = { info: () => undefined, fork: () => logger };
  // The part of a loader's context that `replaceEntries` uses.
  const context = {
    collection,
    logger,
    store: {
      get: (id: string) => {
        order.add(id);
        return entries.get(id);
      },
      keys: () => [...entries.keys()],
      set: (entry: CollectionEntries[number]) => entries.set(entry.id, entry),
      delete: (id: string) => entries.delete(id),
    },
    parseData: async ({ data }: { data: unknown }) => loader.schema.parse(data),
  } as unknown as LoaderContext;
  await replaceEntries(context, loader.project(source));
  return [...order].flatMap((id) => entries.get(id) ?? []);
}
