/** However few records are known, so many may change. */
const ALWAYS = 3;

/** How many of the known records may change in a way; all of them where the share is 1. */
export function allowance(known: number, share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : Math.max(ALWAYS, Math.floor(known * share));
}
