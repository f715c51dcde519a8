import type { Worker } from 'node:worker_threads';

interface ThreadPoolOptions<Order, Answer> {
  /** Number of threads. */
  size: number;
  start: (number: number) => Worker;
  /** Returns the next batch of jobs; an empty batch ends the thread. */
  take: () => readonly Order[];
  /** Called with each result. */
  onResult: (answer: Answer) => void;
}

/**
 * Distributes jobs to threads that run `takeOrders`: each thread receives a new batch after its results, until no jobs
 * remain.
 * @throws The first error of a thread or of `onResult`, after all threads have ended.
 */
export async function runThreads<Order, Answer>(options: ThreadPoolOptions<Order, Answer>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: options.size }, (_, number) => feed(number, options)));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

function feed<Order, Answer>(
  number: number,
  { start, take, onResult }: ThreadPoolOptions<Order, Answer>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = start(number);
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

/** Returns a function that yields the next batch of a list, for threads that share it. */
export function batchSource<Order>(orders: readonly Order[], size: number): () => readonly Order[] {
  let next = 0;
  return () => orders.slice(next, (next += size));
}

/** Splits a list into chunks of a size; the last one may be smaller. */
export function chunkList<Item>(list: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, piece) =>
    list.slice(piece * size, (piece + 1) * size),
  );
}
