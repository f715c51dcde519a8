import type { Worker } from 'node:worker_threads';

export interface ThreadWork<Order, Answer> {
  /** How many threads. */
  size: number;
  start: (number: number) => Worker;
  /** Gives the next batch of orders; an empty one ends a thread. */
  take: () => readonly Order[];
  /** Is given each answer. */
  onResult: (answer: Answer) => void;
}

/**
 * Hands orders to threads that take them by `takeOrders`, a batch after each answer, until there are no more.
 * @throws What one of them ended with before, or what `onResult` has thrown; the others have come to their end then.
 */
export async function feedThreads<Order, Answer>({ size, start, ...work }: ThreadWork<Order, Answer>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: size }, (_, number) => feed(start(number), work)));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

function feed<Order, Answer>(
  worker: Worker,
  { take, onResult }: Pick<ThreadWork<Order, Answer>, 'take' | 'onResult'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (answers: Answer[]) => {
      try {
        for (const answer of answers) onResult(answer);
        const batch = take();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        if (batch.length > 0) worker.postMessage(batch);
        else void worker.terminate();
      } catch (error) {
        reject(error);
        void worker.terminate();
      }
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

/** A list in pieces of that size; the last one may be smaller. */
export function cutList<Item>(list: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, piece) =>
    list.slice(piece * size, (piece + 1) * size),
  );
}
