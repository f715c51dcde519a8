/** CPU, in ms, that this thread takes for something; what others take meanwhile doesn't count, as it does in time. */
export function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  return msSince(before);
}

/** CPU, in ms, that this thread takes at most before others get their turn, until some work is done. */
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

const TRIES = 3;

/**
 * The least of up to three measurements; no more are made when one is below what is allowed. Code that is compiled,
 * memory that is collected and a busy machine add to one of them; what is too slow by itself is so in each.
 * @param measure Gets the number of the try, so that it can do the same with something new.
 */
export async function leastOf(measure: (attempt: number) => number | Promise<number>, allowed = 0): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES && least >= allowed; attempt++) {
    least = Math.min(least, await measure(attempt));
  }
  return least;
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
