import { type Batch, poolSize } from './render-job.ts';
import type { ProductIndex } from '#product-index/index.ts';
import type { RenderScope } from '#catalogue/port/render-context.ts';
import { cutList } from '#workers/worker-pool.ts';

/** Neighbours lie together, so that a thread reads few product groups for them. */
const PRODUCTS_PER_BATCH = 250;

/** Puts all product pages into batches if threads will render them, those of families first: they take longer. */
export function batchAll(
  productIndex: ProductIndex,
  languages: readonly string[],
  threads: number | undefined,
): Batch[] | undefined {
  const count = languages.reduce((sum, language) => sum + productIndex.count(language), 0);
  if (poolSize(count, threads) === 0) return undefined;
  const families = new Map(
    languages.flatMap((language) =>
      productIndex.productGroups(language).map(({ productGroup }) => [productGroup, `${language}/${productGroup}`]),
    ),
  );
  families.delete('');
  const lists = [...families.values()].map((place) => ({ products: [], productGroups: [place] }));
  const batches = cutList(productIndex.index(), PRODUCTS_PER_BATCH).map((products) => ({
    products,
    productGroups: [],
  }));
  return [...lists, ...batches];
}

/** What has to be looked at to find the pages of some batches. */
export function scopeOf(batches: readonly Batch[]): RenderScope {
  return {
    productGroups: new Set(batches.flatMap(({ productGroups }) => productGroups)),
    products: batches.flatMap(({ products }) => products),
    withCrossReferenced: false,
  };
}

/** Pages that come in no batch are found at all times. */
export const NO_BATCHES = scopeOf([]);
