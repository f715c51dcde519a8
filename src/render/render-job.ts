import type { IndexedPage } from '#product-index/index.ts';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries, RenderScope } from '#catalogue/port/render-context.ts';
import type { BundleState } from './bundle/astro-internals.ts';
import type { WayCounts } from './bundle/catch-pages.ts';
import { availableParallelism } from 'node:os';
import type { Answer, Traced } from './manifest/trace.ts';
import type { RenderedPage } from '#generated/scan/scan-text.ts';

/** What a thread is started with. */
export interface RenderWorkerData {
  task: RenderTask;
  number: number;
  /** Where pages are found that are named by their files: as for `PageFinder.find`. */
  scope: RenderScope | undefined;
  routes: readonly string[] | undefined;
}

/** Pages to compare or to render: some that are known by their files, or those of a batch. */
export type RenderJob =
  { files: readonly string[] } | { compare: Batch; number: number } | { batch: Batch; number: number };

/** What a page has read, and the route that renders it. */
export interface TracedOfRoute extends Omit<Traced<unknown>, 'result'> {
  route: string;
}

/** What was read to find the pages of a batch, by the file of their route. */
export type AnswersOfRoutes = [route: string, answers: Answer[]][];

/** A batch whose pages were compared with the manifest. */
export interface ComparedBatch {
  number: number;
  /** The files of all of them. */
  present: string[];
  /** Of those that are to be rendered. */
  stale: string[];
  routes: AnswersOfRoutes;
}

export interface RenderResult {
  rendered: [file: string, page: RenderedPage, traced: TracedOfRoute][];
  /** Number of the batch, if all of its pages were rendered. */
  delivered: number | undefined;
  routes: AnswersOfRoutes;
  /** How pages were rendered since the last answer. */
  ways: WayCounts;
  /** Routes that are left to Astro since the last answer, and why. */
  slow: [route: string, difference: string][];
}

/** How many threads pay for so many pages; 0 when this one had better do it. @param asked By the user. */
export function poolSize(pages: number, asked: number | undefined): number {
  if (asked !== undefined) return asked > 1 ? asked : 0;
  const size = Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/** What a thread needs to render pages by itself. */
export interface RenderTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
}

/** A thread starts in the time of a few hundred pages and holds its own lists; it has to be worth both. */
export const PAGES_WORTH_A_THREAD = 3000;

/** A part of all product pages that can be found and rendered by itself: those of some products, or lists of a family. */
export interface Batch {
  products: readonly IndexedPage[];
  /** `<language>/<family>`: the family's lists in all languages. */
  productGroups: readonly string[];
  /** Whether its products are others now, so that it isn't worth comparing their pages. */
  haveChanged?: boolean;
  /** Files of those to render, where it isn't all of them. */
  stale?: readonly string[];
}
