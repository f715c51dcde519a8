import { Worker } from 'node:worker_threads';

/**
 * Of the heap of a thread, of which there may be several: with less to spare, V8 lets less garbage lie. Most of them
 * never hold more than a hundred.
 */
const YOUNG_GENERATION_MB = 32;
const OLD_GENERATION_MB = 1500;

/** Starts a thread. */
export function startThread(file: URL, workerData: unknown): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB };
  return new Worker(file, { workerData, resourceLimits });
}
