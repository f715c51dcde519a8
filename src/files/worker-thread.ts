import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, Worker } from 'node:worker_threads';

/**
 * Heap limits of a thread. With a small young generation, V8 collects garbage earlier. Most threads use less than 100
 * MB.
 */
const YOUNG_GENERATION_MB = 16;
const OLD_GENERATION_MB = 1500;

export function startThread(file: URL, workerData: unknown): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB };
  return new Worker(file, { workerData, resourceLimits });
}

/** Processes the jobs that `feedThreads` sends to this thread. An initial empty result requests the first batch. */
export function processBatches<Order, Answer>(processJobs: (jobs: readonly Order[]) => Promise<Answer[]>): void {
  const answer = (answers: readonly Answer[]): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answers);
  };
  parentPort?.on('message', (jobs: readonly Order[]) => void processJobs(jobs).then(answer));
  // Startup leaves much garbage, and V8 bases its collection thresholds on the first heap size it sees.
  collectGarbage();
  answer([]);
}

/** Collects garbage now. V8 doesn't collect in an idle thread. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
