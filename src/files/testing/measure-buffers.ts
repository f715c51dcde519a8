import { collectGarbage } from '#files/worker-thread.ts';

/** Runs a function and measures the maximum growth of this process's buffers. */
export async function measureBuffers<T>(run: () => Promise<T>): Promise<{ answer: T; grownBytes: number }> {
  const before = heldBytes();
  let most = before;
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    const started = performance.now();
    most = Math.max(most, heldBytes());
    // Pauses in proportion to the duration of a sample, so that sampling doesn't dominate the run.
    timer = setTimeout(sample, 100 + 5 * (performance.now() - started));
  };
  sample();
  try {
    return { answer: await run(), grownBytes: most - before };
  } finally {
    clearTimeout(timer);
  }
}

function heldBytes(): number {
  // Buffers are freed in the background; the second collection waits for the rest of the first.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
