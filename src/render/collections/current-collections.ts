import { hash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import type { z } from 'zod';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { Settings } from '#config/index.ts';
import { runLoaders } from '#loaders/run-loaders.ts';
import { shareSnapshot } from '#product-index/with-snapshot.ts';
import { rememberReads, type ChangeCursor, type SnapshotReader } from '#snapshot/index.ts';
import { areCurrent, type CachedCollections } from './cached-collections.ts';

export interface CurrentCollections {
  /** Those of the snapshot, to keep. */
  loaded: CachedCollections;
  /** All, as pages read them. */
  provided: ReadonlyMap<string, CollectionEntries>;
  /** What names each of the snapshot's. */
  digests: Record<string, string>;
  /** Whether those of the snapshot are what was kept, but for those that every run changes. */
  areCached: boolean;
}

/** The collections of the snapshot as it is, loaded only when its records have changed, and those of the project. */
export async function currentCollections(
  settings: Settings,
  {
    snapshot,
    cursor,
    kept,
    ofProject,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Where the snapshot's log of changes stands. */
    cursor: ChangeCursor;
    kept: CachedCollections | undefined;
    ofProject: ReadonlyMap<string, CollectionEntries>;
    warn: (message: string) => void;
  },
): Promise<CurrentCollections> {
  const { options } = settings;
  const known = kept && areCurrent(kept, snapshot) ? kept : undefined;
  const warnings = [...(known?.warnings ?? [])];
  const collections = new Map(known?.collections);
  // Articles of all kinds lead to each other, so each loader reads them all.
  const shared = rememberReads(snapshot);
  // What is known is the same still, but for those of runs.
  const loaders: Readonly<Record<string, SnapshotLoader>> = known
    ? runLoaders(options)
    : (await import('#loaders/snapshot-loaders.ts')).snapshotLoaders(options);
  for (const [collection, loader] of Object.entries(loaders)) {
    if (collection === 'products') continue;
    const before = kept?.collections.get(collection) ?? [];
    collections.set(
      collection,
      await load(loader, collection, before, {
        root: settings.root,
        shared,
        warn: (message) => warnings.push(message),
      }),
    );
  }
  for (const message of warnings) warn(message);
  return {
    loaded: { cursor, files: known?.files ?? snapshot.describeArticleFiles(), collections, warnings },
    provided: new Map([...collections, ...ofProject]),
    digests: Object.fromEntries([...collections].map(([name, entries]) => [name, digestOf(entries)])),
    areCached: known !== undefined,
  };
}

const digests = new WeakMap<CollectionEntries, string>();

/** A process that goes on building has the same entries again and again. */
function digestOf(entries: CollectionEntries): string {
  const described = () => JSON.stringify(entries.map(({ id, data, digest }) => [id, digest ?? data]));
  const made = digests.get(entries) ?? hash('sha1', described(), 'base64url');
  digests.set(entries, made);
  return made;
}

type SnapshotLoader = Loader & { schema: z.ZodType };

/** Runs a loader of the snapshot without Astro; entries that are the same still are taken from those before. */
async function load(
  loader: SnapshotLoader,
  collection: string,
  before: CollectionEntries,
  { root, shared, warn }: { root: string; shared: SnapshotReader; warn: (message: string) => void },
): Promise<CollectionEntries> {
  const entries = new Map(before.map((entry) => [entry.id, entry]));
  // A loader asks for each entry in its order.
  const order = new Set<string>();
  const logger = { info: () => undefined, warn, fork: () => logger };
  // The part of Astro's context that loaders of the snapshot use.
  const context = {
    collection,
    logger,
    config: { root: pathToFileURL(`${root}/`) },
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
  shareSnapshot(context, shared);
  await loader.load(context);
  return [...order].flatMap((id) => entries.get(id) ?? []);
}
