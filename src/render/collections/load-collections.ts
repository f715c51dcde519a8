import { pathToFileURL } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import type { Settings } from '#config/index.ts';
import { lendSnapshot } from '#product-index/with-snapshot.ts';
import { snapshotLoaders } from '#loaders/index.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

interface LoadedEntry {
  id: string;
  data: Record<string, unknown>;
  digest?: string | number | undefined;
}

/** Collections that every run of a sync changes. */
const OF_RUNS = new Set(['snapshot', 'changes']);

/**
 * Runs the loaders of the snapshot without Astro, but for that of products.
 * @param warn Is told what they warn of.
 * @param known Collections that are the same still, but for those of runs.
 */
export async function loadCollections(
  settings: Settings,
  snapshot: SnapshotReader,
  warn: (message: string) => void,
  known?: ReadonlyMap<string, CollectionEntries>,
): Promise<Map<string, CollectionEntries>> {
  const loaded = new Map<string, CollectionEntries>(known);
  for (const [collection, loader] of Object.entries(snapshotLoaders(settings.options))) {
    if (collection === 'products' || (known && !OF_RUNS.has(collection))) continue;
    const entries = new Map<string, LoadedEntry>();
    const logger = { info: () => undefined, warn, fork: () => logger };
    // The part of Astro's context that loaders of the snapshot use.
    const context = {
      collection,
      logger,
      config: { root: pathToFileURL(`${settings.root}/`) },
      store: {
        get: (id: string) => entries.get(id),
        keys: () => [...entries.keys()],
        set: (entry: LoadedEntry) => entries.set(entry.id, entry),
        delete: (id: string) => entries.delete(id),
      },
      parseData: async ({ data }: { data: unknown }) => loader.schema.parse(data),
    } as unknown as LoaderContext;
    lendSnapshot(context, snapshot);
    await (loader satisfies Loader).load(context);
    loaded.set(collection, [...entries.values()]);
  }
  return loaded;
}
