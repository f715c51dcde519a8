import { Worker } from 'node:worker_threads';

/** What is short-lived may take more than this in the main thread, of which there is one. */
const YOUNG_GENERATION_MB = 32;

/** Starts one of several threads that do the same. */
export function startThread(file: URL, workerData: unknown): Worker {
  return new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
}
