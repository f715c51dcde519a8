/** This many may always change, however few records are known. */
const ALWAYS = 3;

/** How many known records may change in one way; all of them if the share is 1. */
export function allowance(known: number, share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : Math.max(ALWAYS, Math.floor(known * share));
}
