import { getCollection, type CollectionEntry, type CollectionKey } from 'astro:content';
import { describeCollection } from '../port/collection-store.ts';
import { noteRead } from '../port/reads.ts';
import { renderContext } from '../port/render-context.ts';

/**
 * A collection: as the build that runs this code provides it, or else as Astro's content store has it. A build with a
 * cached bundle provides all of them, because the store in that bundle is of an earlier snapshot.
 */
export async function readCollection<C extends CollectionKey>(collection: C): Promise<CollectionEntry<C>[]> {
  noteRead('collection', [collection], () => describeCollection(collection));
  const host = renderContext.current;
  const provided = host?.provided?.get(collection);
  // The host's entries were read by the same loaders and schemas that fill the store.
  if (provided) return provided as unknown as CollectionEntry<C>[];
  const entries = await getCollection(collection);
  host?.seen?.set(collection, entries);
  return entries;
}
