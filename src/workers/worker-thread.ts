import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, Worker } from 'node:worker_threads';

/**
 * Of the heap of a thread, of which there may be several: with less to spare, V8 lets less garbage lie. Most of them
 * never hold more than a hundred.
 */
const YOUNG_GENERATION_MB = 16;
const OLD_GENERATION_MB = 1500;

/** Starts a thread. */
export function startThread(file: URL, workerData: unknown): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB };
  return new Worker(file, { workerData, resourceLimits });
}

/** Makes this thread carry out what `feedThread` hands it: it asks for the first orders with an empty answer. */
export function takeOrders<Order, Answer>(carryOut: (orders: readonly Order[]) => Promise<Answer[]>): void {
  const answer = (answers: readonly Answer[]): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answers);
  };
  parentPort?.on('message', (orders: readonly Order[]) => void carryOut(orders).then(answer));
  // What was needed to get here is a lot, and what V8 sees first is the measure for how much garbage it lets lie.
  collectGarbage();
  answer([]);
}

/** Gives back what this thread no longer needs. One that only waits for others from now on would never do it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
