import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/index.ts';
import type { CollectionEntries } from '../../loaders/index.ts';
import { feedThreads, inBatches } from '../threads/feed-thread.ts';
import type { BundleState } from './astro-internals.ts';
import type { RenderedPage } from './render-page.ts';

/** What a thread needs to render pages by itself. */
export interface CrewTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
}

/** A thread starts in the time of a few hundred pages and holds its own lists; it has to be worth both. */
const PAGES_WORTH_A_THREAD = 3000;
const FILES_AT_ONCE = 50;
const YOUNG_GENERATION_MB = 64;

/** How many threads pay for so many pages; 0 when this one had better do it. @param asked By the user. */
export function crewSize(pages: number, asked: number | undefined): number {
  if (asked !== undefined) return asked > 1 ? asked : 0;
  const size = Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/**
 * Renders and writes files on several threads. What a thread could not render is not settled: render it here, where
 * errors have their place and Astro's images are collected.
 * @param settle Is given each page that was rendered.
 */
export async function renderInCrew(
  files: readonly string[],
  size: number,
  task: CrewTask,
  settle: (file: string, page: RenderedPage) => void,
): Promise<void> {
  const file = new URL('./crew-worker.ts', import.meta.url);
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  await feedThreads<string, [file: string, page: RenderedPage]>({
    size,
    start: (number) => new Worker(file, { workerData: { task, number }, resourceLimits }),
    take: inBatches(files, FILES_AT_ONCE),
    settle: ([name, page]) => settle(name, page),
  })
    // What ends a thread shows again where its pages are rendered after all.
    .catch(() => undefined);
}
