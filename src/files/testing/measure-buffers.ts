import { collectGarbage } from '#workers/worker-thread.ts';

/** Runs something, and measures by how much the buffers of this process grew at most. */
export async function measureBuffers<T>(run: () => Promise<T>): Promise<{ answer: T; grownBytes: number }> {
  const before = heldBytes();
  let most = before;
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    const started = performance.now();
    most = Math.max(most, heldBytes());
    // Collecting takes its time, too: most of it is left to what is measured.
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
  // Buffers are freed in the background; the second collection waits for what the first has left to that.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
