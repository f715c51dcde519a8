/** Long work says how far it is, this often. */
const EVERY_MS = 5000;

/** @returns Call it after each piece; it tells now and then: `120 of 790 images`, or `120 images` of nobody knows how many. */
export function progressReporter(
  what: string,
  report: (message: string) => void,
): (done: number, total: number | undefined) => void {
  let told = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - told < EVERY_MS || done === total) return;
    told = now;
    report(`${total === undefined ? done : `${done} of ${total}`} ${what}`);
  };
}
