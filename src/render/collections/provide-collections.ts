import type { RenderContext, CollectionEntries } from '#catalogue/port/render-context.ts';
import type { ProductIndex } from '#product-index/index.ts';

/** Collections for pages to read: products from the product index, when somebody asks for all of them. */
export function provideCollections(
  collections: ReadonlyMap<string, CollectionEntries>,
  productIndex: () => ProductIndex,
): NonNullable<RenderContext['provided']> {
  let products: CollectionEntries | undefined;
  return { get: (name) => (name === 'products' ? (products ??= productIndex().collection()) : collections.get(name)) };
}
