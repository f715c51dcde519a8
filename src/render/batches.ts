import { type Batch, poolSize } from './render-job.ts';
import type { ProductIndex } from '#product-index/index.ts';
import type { RenderScope } from '#catalogue/port/render-context.ts';
import { cutList } from '#workers/worker-pool.ts';

/** Neighbours lie together, so that a thread reads few product groups for them. */
const PRODUCTS_PER_BATCH = 250;

/**
 * Puts all product pages into batches, those of families first: they take longer. None where threads don't pay.
 * @param changed `<language>/<gtin>` of those that may show something else of their own.
 */
export function batchAll(
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
  const lists = [...families.values()].map((place) => ({ products: [], productGroups: [place] }));
  const byChange = Map.groupBy(productIndex.index(), ({ data }) => changed.has(`${data.pageLanguage}/${data.gtin}`));
  const products = [...byChange].flatMap(([haveChanged, pages]) =>
    cutList(pages, PRODUCTS_PER_BATCH).map((some) => ({ products: some, productGroups: [], haveChanged })),
  );
  return [...lists, ...products];
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
