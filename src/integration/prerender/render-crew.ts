import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/index.ts';
import type { CollectionEntries } from '../../loaders/index.ts';
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
  let next = 0;
  const work = (worker: Worker): Promise<void> =>
    new Promise((resolve) => {
      const hand = (): void => {
        const batch = files.slice(next, (next += FILES_AT_ONCE));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        if (batch.length > 0) worker.postMessage(batch);
        else void worker.terminate();
      };
      worker.on('message', (pages: [string, RenderedPage][]) => {
        for (const [file, page] of pages) settle(file, page);
        hand();
      });
      worker.on('error', () => undefined);
      worker.on('exit', () => resolve());
    });
  const file = new URL('./crew-worker.ts', import.meta.url);
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  const workers = Array.from(
    { length: size },
    (_, number) => new Worker(file, { workerData: { task, number }, resourceLimits }),
  );
  await Promise.all(workers.map(work));
}
