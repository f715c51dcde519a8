import { getErrorMessage } from '#contracts/index.ts';
import {
  type ComparedBatch,
  type RenderTask,
  type RenderResult,
  type RenderWorkerData,
  type RenderJob,
  poolSize,
  type Batch,
  type PagePath,
  type RenderPool,
} from './update-pages.ts';
import type { Worker } from 'node:worker_threads';
import { collectGarbage, startThread } from '#files/worker-thread.ts';
import { chunkList, runThreads, batchSource } from '#files/worker-pool.ts';

export interface RenderPoolOptions extends Pick<RenderWorkerData, 'scope' | 'routes'> {
  /** Number of threads chosen by the user. */
  threads: number | undefined;
  /** All pages that are not named by their files. */
  batches: readonly Batch[];
  /** Called if no threads are used, so that other work may start in parallel. */
  onAlone?: () => void;
  /** Called after a worker has failed. */
  warn: (message: string) => void;
  /** Called when a worker falls back to Astro for a route. */
  onSlow: (route: string, difference: string) => void;
  /** Receives the number of pages by how they were rendered. */
  debug: (message: string) => void;
  /** Finds the pages of batches that were not rendered completely. */
  findPages: (unfinished: readonly Batch[]) => Promise<readonly PagePath[]>;
}

const FILES_AT_ONCE = 50;

/** Reports each route once, although every thread detects it. */
export function createSlowReporter(warn: (message: string) => void): RenderPoolOptions['onSlow'] {
  const reported = new Set<string>();
  return (route, difference) => {
    if (!reported.has(route))
      warn(`Astro renders the pages of ${route} one by one, which takes longer: ${difference}.`);
    reported.add(route);
  };
}

/** Creates a pool for `updatePages` with threads that compare batches and threads that render. */
export function openRenderPool(
  task: RenderTask,
  { threads, scope, routes, batches: all, onAlone, warn, onSlow, debug, findPages }: RenderPoolOptions,
): RenderPool {
  const feed = <Result>(orders: readonly RenderJob[], size: number, onResult: (result: Result) => void) => {
    const file = new URL('./render-worker.ts', import.meta.url);
    const start = (number: number): Worker => {
      const workerData: RenderWorkerData = { task, number, scope, routes };
      return startThread(file, workerData);
    };
    collectGarbage();
    return runThreads<RenderJob, Result>({ size, start, take: batchSource(orders, 1), onResult });
  };
  return {
    compare: async () => {
      if (all.length === 0) return [];
      const compared: ComparedBatch[] = [];
      const orders = all.map((batch, number) => ({ compare: batch, number }));
      try {
        await feed<ComparedBatch>(orders, poolSize(Infinity, threads), (result) => void compared.push(result));
        if (compared.length < all.length) throw new Error('it ended early');
        return compared;
      } catch (error) {
        warn(`A thread that compares pages failed; all are rendered: ${getErrorMessage(error)}`);
        return undefined;
      }
    },
    render: async (files, compared, { onResult, onAsked }) => {
      const changed = compared?.flatMap(({ number, stale }): Batch[] => {
        const batch = all[number];
        return batch && stale.length > 0 ? [{ ...batch, stale }] : [];
      });
      const batches = changed ?? all;
      const findUnfinished = async (unfinished: readonly Batch[]): Promise<readonly PagePath[]> => {
        if (unfinished.length === 0) return [];
        const found = await findPages(unfinished);
        const staleFiles = changed && new Set(unfinished.flatMap(({ stale = [] }) => stale));
        return staleFiles ? found.filter(({ file }) => staleFiles.has(file)) : found;
      };
      // All pages of a batch are found, whether or not they are rendered.
      const count = batches.reduce(
        (sum, { products, stale }) => sum + Math.max(products.length, stale?.length ?? 1),
        0,
      );
      const size = poolSize(files.length + count, threads);
      if (size === 0) {
        onAlone?.();
        return findUnfinished(batches);
      }
      const orders: RenderJob[] = [
        ...chunkList(files, FILES_AT_ONCE).map((chunk) => ({ files: chunk })),
        ...batches.map((batch, number) => ({ batch, number })),
      ];
      const counts = new Map<string, number>();
      const missing = new Map(batches.entries());
      await feed<RenderResult>(orders, size, ({ rendered, delivered, routes: asking, ways, slow }) => {
        for (const [route, answers] of asking) onAsked(route, answers);
        for (const [name, page, traced] of rendered) onResult(name, page, traced);
        for (const [way, count] of ways) counts.set(way, (counts.get(way) ?? 0) + count);
        for (const [route, difference] of slow) onSlow(route, difference);
        if (delivered !== undefined) missing.delete(delivered);
      })
        // Its pages are rendered in the main thread, which reports errors with their location.
        .catch((error: unknown) =>
          warn(`A rendering worker failed; its pages are rendered in the main thread: ${getErrorMessage(error)}`),
        );
      for (const [way, count] of counts) debug(`${count} pages of ${way}`);
      return findUnfinished([...missing.values()]);
    },
  };
}
