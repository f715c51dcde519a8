import { availableParallelism } from 'node:os';
import { getErrorMessage } from '#contracts/index.ts';
import { batchSource, chunkList, runThreads } from '#files/worker-pool.ts';
import { collectGarbage, startThread } from '#files/worker-thread.ts';
import type { Batch, RenderJob, RenderResult, RenderTask } from './batches.ts';
import type { RenderResults } from './update-pages.ts';

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
