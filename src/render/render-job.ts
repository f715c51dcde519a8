import type { IndexedPage } from '#catalogue/port/product-index.ts';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries, RenderScope } from '#catalogue/port/render-context.ts';
import type { BundleState } from './bundle/astro-internals.ts';
import type { RenderCounts } from './bundle/intercept-pages.ts';
import { availableParallelism } from 'node:os';
import type { RecordedRead, Traced } from './manifest/trace.ts';
import type { PageScan } from '#generated/scan/scan-text.ts';

/** Initial data of a thread. */
export interface RenderWorkerData {
  task: RenderTask;
  number: number;
  /** Scope of the pages named by their files, as in `PageFinder.find`. */
  scope: RenderScope | undefined;
  routes: readonly string[] | undefined;
}

/** Pages to compare or render: known files, or a batch. */
export type RenderJob =
  { files: readonly string[] } | { compare: Batch; number: number } | { batch: Batch; number: number };

/** Reads of a page and its route. */
export interface RouteTrace extends Omit<Traced<unknown>, 'result'> {
  route: string;
}

/** Reads that it took to find the pages of a batch, by route file. */
export type ReadsByRoute = [route: string, answers: RecordedRead[]][];

/** Result of comparing a batch with the manifest. */
export interface ComparedBatch {
  number: number;
  /** Files of all pages. */
  present: string[];
  /** Files to render. */
  stale: string[];
  routes: ReadsByRoute;
}

export interface RenderResult {
  rendered: [file: string, page: PageScan, traced: RouteTrace][];
  /** Number of the batch, if all of its pages were rendered. */
  delivered: number | undefined;
  routes: ReadsByRoute;
  /** Render counts since the last result. */
  ways: RenderCounts;
  /** Routes that fell back to Astro since the last result, with the reason. */
  slow: [route: string, difference: string][];
}

/**
 * Returns the number of threads for a number of pages; 0 to render in the main thread.
 *
 * @param requested Number chosen by the user.
 */
export function poolSize(pages: number, requested: number | undefined): number {
  if (requested !== undefined) return requested > 1 ? requested : 0;
  const size = Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/** Data that a thread needs to render pages. */
export interface RenderTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
}

/** Starting a thread takes as long as a few hundred pages, and each thread needs its own lists in memory. */
export const PAGES_WORTH_A_THREAD = 3000;

/** An independent part of the product pages: some products, or the lists of a family. */
export interface Batch {
  products: readonly IndexedPage[];
  /** `<language>/<family>`: the lists of the family in all languages. */
  productGroups: readonly string[];
  /** True if its products have changed, so that comparing their pages isn't worthwhile. */
  haveChanged?: boolean;
  /** Files to render; undefined for all. */
  stale?: readonly string[];
}
