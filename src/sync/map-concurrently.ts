import pLimit from 'p-limit';

/**
 * Runs a function over many items with limited concurrency, and yields the results in order. If the consumer stops or a
 * call fails, no further calls start.
 */
export async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  concurrency: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const limit = pLimit(concurrency);
  // Look ahead a few items, so that one slow item doesn't block the others.
  const ahead = concurrency * 4;
  const queue: Promise<R>[] = [];
  try {
    for (const item of items) {
      const result = limit(run, item);
      // Avoid an unhandled rejection: the result is awaited below, but another call may fail first.
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
