/** Runs work, or not: undefined if its source already has too much waiting. */
export type VerifyQueue = <T>(key: string, work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Lets each key do one thing after the other, and have only so much waiting: hashing a password takes a core for a while,
 * and no source may take them all. A key without work takes no memory.
 */
export function verifyQueue(maxWaiting: number): VerifyQueue {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= maxWaiting) return undefined;
    queues.set(key, queue);
    queue.waiting += 1;
    const done = queue.last.then(work);
    queue.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
