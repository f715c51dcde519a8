import { getCollection, type CollectionEntry, type CollectionKey } from 'astro:content';
import { describeCollection } from './collection-store.ts';
import { recordRead } from './tracked-queries.ts';
import { renderContext } from './render-context.ts';

/**
 * Reads a collection of the current build, else from Astro's content store. A build with a cached bundle provides all
 * collections, because the store in the bundle contains an earlier snapshot.
 */
export async function readCollection<C extends CollectionKey>(collection: C & string): Promise<CollectionEntry<C>[]> {
  recordRead('collection', [collection], () => describeCollection(collection));
  const context = renderContext.current;
  const provided = context?.provided?.get(collection);
  // The build's entries come from the same loaders and schemas as the store.
  if (provided) return provided as unknown as CollectionEntry<C>[];
  const entries = await getCollection(collection);
  context?.seen?.set(collection, entries);
  return entries;
}
