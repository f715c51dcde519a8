/** Measures the CPU time of this thread for a function, in ms. Other threads and processes don't count. */
export function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  return msSince(before);
}

/** Measures the longest turn of the event loop in CPU time of this thread, in ms, until a promise settles. */
export async function longestTurnMs(work: Promise<unknown>): Promise<number> {
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  let longest = 0;
  for (let before = process.threadCpuUsage(); !progress.isDone; before = process.threadCpuUsage()) {
    await new Promise((resolve) => void setImmediate(resolve));
    longest = Math.max(longest, msSince(before));
  }
  await done;
  return longest;
}

const MAX_ATTEMPTS = 3;

/**
 * Returns the lowest of up to three measurements, and stops at the first one below the limit. Compilation, garbage
 * collection and a busy machine slow down single measurements; slow code is slow in all of them.
 * @param measure Receives the number of the attempt, so that it can use fresh data.
 */
export async function lowestMeasurement(
  measure: (attempt: number) => number | Promise<number>,
  allowed = 0,
): Promise<number> {
  let lowest = Infinity;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && lowest >= allowed; attempt++) {
    lowest = Math.min(lowest, await measure(attempt));
  }
  return lowest;
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
