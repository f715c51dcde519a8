import { messageOf } from '#contracts/index.ts';
import {
  type RenderTask,
  type RenderResult,
  type RenderWorkerData,
  type RenderJob,
  poolSize,
  type Batch,
} from './render-job.ts';
import type { Worker } from 'node:worker_threads';
import { collectGarbage, startThread } from '#workers/worker-thread.ts';
import { cutList, feedThreads, inBatches } from '#workers/worker-pool.ts';
import type { PagePath, UpdatePagesOptions } from './update-pages.ts';

export interface RenderPoolOptions {
  /** How many threads somebody has asked for. */
  threads: number | undefined;
  /** Where all product pages come in batches, and not by their files. */
  batches?: readonly Batch[] | undefined;
  /** Called when no threads are used: other work may start meanwhile. */
  onAlone?: () => void;
  /** Called when a worker has failed. */
  warn: (message: string) => void;
  /** Called when a worker leaves a route to Astro. */
  onSlow: (route: string, difference: string) => void;
  /** Called with how many pages were rendered in which way. */
  debug: (message: string) => void;
  /** Finds the pages of batches that were not rendered completely. */
  findPages?: (left: readonly Batch[]) => Promise<readonly PagePath[]>;
}
const FILES_AT_ONCE = 50;

/** Says it once of each route, which every thread finds out. */
export function slowReporter(warn: (message: string) => void): RenderPoolOptions['onSlow'] {
  const told = new Set<string>();
  return (route, difference) => {
    if (!told.has(route)) warn(`Astro renders the pages of ${route} one by one, which takes longer: ${difference}.`);
    told.add(route);
  };
}

/**
 * For `updatePages`: renders and writes files on several threads where that pays. What a thread could not render has no
 * result: render it here, where errors have their place and Astro's images are collected.
 */
export function renderMany(
  task: RenderTask,
  { threads, batches, onAlone, warn, onSlow, debug, findPages }: RenderPoolOptions,
): NonNullable<UpdatePagesOptions['renderMany']> {
  return async (files, onResult) => {
    const size = poolSize(batches ? Infinity : files.length, threads);
    if (size === 0) {
      onAlone?.();
      return [];
    }
    const file = new URL('./render-worker.ts', import.meta.url);
    const start = (number: number): Worker => {
      const workerData: RenderWorkerData = { task, number, isBatched: batches !== undefined };
      return startThread(file, workerData);
    };
    const orders: RenderJob[] = [
      ...cutList(files, FILES_AT_ONCE).map((some) => ({ files: some })),
      ...(batches ?? []).map((batch, number) => ({ batch, number })),
    ];
    const counts = new Map<string, number>();
    const missing = new Map(batches?.entries());
    collectGarbage();
    await feedThreads<RenderJob, RenderResult>({
      size,
      start,
      take: inBatches(orders, 1),
      onResult: ({ rendered, delivered, ways, slow }) => {
        for (const [name, page, traced] of rendered) onResult(name, page, traced);
        for (const [way, count] of ways) counts.set(way, (counts.get(way) ?? 0) + count);
        for (const [route, difference] of slow) onSlow(route, difference);
        if (delivered !== undefined) missing.delete(delivered);
      },
    })
      // Its pages are rendered here after all, where their errors have a place.
      .catch((error: unknown) =>
        warn(`A rendering worker failed; its pages are rendered in the main thread: ${messageOf(error)}`),
      );
    for (const [way, count] of counts) debug(`${count} pages of ${way}`);
    return missing.size > 0 && findPages ? findPages([...missing.values()]) : [];
  };
}
