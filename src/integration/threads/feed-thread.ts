import type { Worker } from 'node:worker_threads';

/**
 * Hands orders to a thread that takes them by `takeOrders`, a batch after each answer, until there are no more.
 * @param take Gives the next batch; an empty one ends the thread.
 * @param settle Is given what the thread answers.
 * @throws What the thread ended with before.
 */
export function feedThread<Order, Answer>(
  worker: Worker,
  take: () => readonly Order[],
  settle: (answers: readonly Answer[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (answers: Answer[]) => {
      settle(answers);
      const batch = take();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      if (batch.length > 0) worker.postMessage(batch);
      else void worker.terminate();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}

/** Gives so many of a list at each call, for threads that share it. */
export function inBatches<Order>(orders: readonly Order[], size: number): () => readonly Order[] {
  let next = 0;
  return () => orders.slice(next, (next += size));
}
