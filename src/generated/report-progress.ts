/** Reporting interval. */
const EVERY_MS = 5000;

/**
 * Creates a function that reports progress at intervals: `120 of 790 images`, or `120 images` if the total is unknown.
 * @param what Plural noun for the items.
 */
export function createProgressReporter(
  what: string,
  report: (message: string) => void,
): (done: number, total: number | undefined) => void {
  let reported = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - reported < EVERY_MS || done === total) return;
    reported = now;
    report(`${total === undefined ? done : `${done} of ${total}`} ${what}`);
  };
}
