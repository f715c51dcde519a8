/** Long work says how far it is, this often. */
const EVERY_MS = 5000;

/**
 * @returns Call it after each piece; it reports now and then: `120 of 790 images`, or `120 images` of nobody knows how
 * many.
 */
export function progressReporter(
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
