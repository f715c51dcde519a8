import pLimit from 'p-limit';

/**
 * Runs a function over many items, so many at once, and gives the results in the items' order. When the reader stops
 * or one fails, nothing new is begun.
 */
export async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  concurrency: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const limit = pLimit(concurrency);
  // Some more than run at once, so that one slow item doesn't keep the others waiting for the reader.
  const ahead = concurrency * 4;
  const queue: Promise<R>[] = [];
  try {
    for (const item of items) {
      const result = limit(run, item);
      // It is awaited below, but another one may fail before.
      result.catch(() => undefined);
      queue.push(result);
      const next = queue.length >= ahead ? queue.shift() : undefined;
      if (next) yield await next;
    }
    for (let next = queue.shift(); next; next = queue.shift()) yield await next;
  } finally {
    limit.clearQueue();
  }
}
