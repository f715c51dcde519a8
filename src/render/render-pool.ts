import { availableParallelism } from 'node:os';
import type { CollectionEntries, RenderScope } from '#catalogue/port/render-context.ts';
import type { IndexedPage, ProductIndex } from '#catalogue/port/product-index.ts';
import type { Settings } from '#config/index.ts';
import { getErrorMessage } from '#contracts/index.ts';
import type { PageScan } from '#generated/scan/read-head.ts';
import { batchSource, chunkList, runThreads } from '#workers/worker-pool.ts';
import { collectGarbage, startThread } from '#workers/worker-thread.ts';
import type { BundleState } from './bundle/astro-internals.ts';
import type { RecordedRead } from './manifest/trace.ts';
import type { RenderResults, RouteTrace } from './update-pages.ts';

/** Data that a thread needs to render pages. */
export interface RenderTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
  /** Scope and routes of the pages that are named by their files, as in `PageFinder.find`. */
  scope: RenderScope | undefined;
  routes: readonly string[] | undefined;
}

/** An independent part of the product pages: some products, or the lists of a family. */
export interface Batch {
  products: readonly IndexedPage[];
  /** `<language>/<family>`: the lists of the family in all languages. */
  productGroups: readonly string[];
}

/** Pages to render: known files, or a batch. */
export type RenderJob = { files: readonly string[] } | { batch: Batch; number: number };

export interface RenderResult {
  rendered: [file: string, page: PageScan, traced: RouteTrace][];
  /** Number of the batch, if all of its pages were rendered. */
  delivered?: number;
  /** Reads that it took to find the pages of a batch, by route file. */
  routes: [route: string, answers: RecordedRead[]][];
}

/** Starting a thread takes as long as a few hundred pages, and each thread needs its own lists in memory. */
const PAGES_WORTH_A_THREAD = 3000;

/**
 * Returns the number of threads for a number of pages; 0 to render in the main thread.
 *
 * @param requested Number chosen by the user.
 */
export function poolSize(pages: number, requested: number | undefined): number {
  const size = requested ?? Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/** Neighbouring products share a batch, so that a thread reads few product groups. */
const PRODUCTS_PER_BATCH = 250;

/** Splits all product pages into batches; families come first, because they take longer. */
export function createBatches(productIndex: ProductIndex, languages: readonly string[]): Batch[] {
  const families = new Map(
    languages.flatMap((language) =>
      productIndex.productGroups(language).map(({ productGroup }) => [productGroup, `${language}/${productGroup}`]),
    ),
  );
  families.delete('');
  return [
    ...[...families.values()].map((productGroup) => ({ products: [], productGroups: [productGroup] })),
    ...chunkList(productIndex.index(), PRODUCTS_PER_BATCH).map((products) => ({ products, productGroups: [] })),
  ];
}

/** Returns the scope that covers the pages of some batches. */
export function toRenderScope(batches: readonly Batch[]): RenderScope {
  return {
    productGroups: new Set(batches.flatMap(({ productGroups }) => productGroups)),
    products: batches.flatMap(({ products }) => products),
    withCrossReferenced: false,
  };
}

const FILES_AT_ONCE = 50;

/**
 * Renders and writes pages in threads, and passes them on. Pages that a thread can't render have no result: render them
 * in the main thread, which reports errors with their location.
 *
 * @param files Pages that belong to no batch.
 * @returns Batches with pages that are left to render.
 */
export async function renderInThreads(
  task: RenderTask,
  {
    size,
    files,
    batches,
    warn,
    onPage,
    onReads,
  }: RenderResults & {
    /** Number of threads. */
    size: number;
    files: readonly string[];
    batches: readonly Batch[];
    /** Called after a thread has failed. */
    warn: (message: string) => void;
  },
): Promise<Batch[]> {
  const jobs: RenderJob[] = [
    ...chunkList(files, FILES_AT_ONCE).map((chunk) => ({ files: chunk })),
    ...batches.map((batch, number) => ({ batch, number })),
  ];
  const left = new Map(batches.entries());
  collectGarbage();
  await runThreads<RenderJob, RenderResult>({
    size,
    start: (number) => startThread(new URL('./render-worker.ts', import.meta.url), { task, number }),
    take: batchSource(jobs, 1),
    onResult: ({ rendered, delivered, routes }) => {
      for (const [route, answers] of routes) onReads(route, answers);
      for (const [file, page, traced] of rendered) onPage(file, page, traced);
      if (delivered !== undefined) left.delete(delivered);
    },
  }).catch((error: unknown) =>
    warn(`A rendering worker failed; its pages are rendered in the main thread: ${getErrorMessage(error)}`),
  );
  return [...left.values()];
}
