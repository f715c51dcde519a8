/** Number of records that may always change. */
const ALWAYS = 3;

/** Returns how many known records may change in one way. No limit if the share is 1. */
export function allowedCount(known: number, share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : Math.max(ALWAYS, Math.floor(known * share));
}
