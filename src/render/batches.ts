import { type Batch, poolSize } from './update-pages.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import type { RenderScope } from '#catalogue/site/render-context.ts';
import { chunkList } from '#files/worker-pool.ts';

/** Neighbouring products share a batch, so that a thread reads few product groups. */
const PRODUCTS_PER_BATCH = 250;

/**
 * Splits all product pages into batches; families come first, because they take longer. Returns none if threads don't
 * pay off.
 *
 * @param changed `<language>/<gtin>` of products whose own content may have changed.
 */
export function createBatches(
  productIndex: ProductIndex,
  {
    languages,
    threads,
    changed,
  }: { languages: readonly string[]; threads: number | undefined; changed: ReadonlySet<string> },
): Batch[] {
  const count = languages.reduce((sum, language) => sum + productIndex.count(language), 0);
  if (poolSize(count, threads) === 0) return [];
  const families = new Map(
    languages.flatMap((language) =>
      productIndex.productGroups(language).map(({ productGroup }) => [productGroup, `${language}/${productGroup}`]),
    ),
  );
  families.delete('');
  const lists = [...families.values()].map((productGroup) => ({ products: [], productGroups: [productGroup] }));
  const byChange = Map.groupBy(productIndex.index(), ({ data }) => changed.has(`${data.pageLanguage}/${data.gtin}`));
  const products = [...byChange].flatMap(([haveChanged, pages]) =>
    chunkList(pages, PRODUCTS_PER_BATCH).map((chunk) => ({ products: chunk, productGroups: [], haveChanged })),
  );
  return [...lists, ...products];
}

/** Returns the scope that covers the pages of some batches. */
export function toRenderScope(batches: readonly Batch[]): RenderScope {
  return {
    productGroups: new Set(batches.flatMap(({ productGroups }) => productGroups)),
    products: batches.flatMap(({ products }) => products),
    withCrossReferenced: false,
  };
}

/** Covers only the pages that belong to no batch. */
export const NO_BATCHES = toRenderScope([]);
