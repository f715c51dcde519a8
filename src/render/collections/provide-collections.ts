import type { BuildHost, CollectionEntries } from '#catalogue/port/build-host.ts';
import type { Listing } from '#product-index/index.ts';

/** Collections for pages to read: products from the listing, when somebody asks for all of them. */
export function provideCollections(
  collections: ReadonlyMap<string, CollectionEntries>,
  listing: () => Listing,
): NonNullable<BuildHost['provided']> {
  let products: CollectionEntries | undefined;
  return { get: (name) => (name === 'products' ? (products ??= listing().collection()) : collections.get(name)) };
}
