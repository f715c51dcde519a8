import { createHash } from 'node:crypto';

export interface FailureThrottleOptions {
  /** Failures of one source at one account before further attempts have to wait. */
  failures: number;
  /** @default 15 minutes */
  windowMs?: number;
  /** Maximum number of remembered pairs of source and account; the oldest is evicted first. @default 20,000 */
  maxEntries?: number;
}

/** An attempt. It counts as failed until `succeed` is called. */
export interface Attempt {
  /** Seconds until earlier failures expire. Undefined while there were few enough of them. */
  waitSeconds: number | undefined;
  /** Marks the attempt as successful and clears earlier failures. */
  succeed(): void;
}

export type FailureThrottle = (source: string, account: string) => Attempt;

const WINDOW_MS = 15 * 60 * 1000;
const MAX_ENTRIES = 20_000;

/**
 * Counts failed attempts of a source at an account, within this process.
 *
 * An attempt is counted before its password is checked, so that parallel attempts don't slip through. Memory is
 * bounded: only a digest of each pair is stored.
 */
export function failureThrottle({
  failures,
  windowMs = WINDOW_MS,
  maxEntries = MAX_ENTRIES,
}: FailureThrottleOptions): FailureThrottle {
  // Sorted by expiry, as all entries live equally long.
  const entries = new Map<string, { count: number; endsAt: number }>();
  return (source, account) => {
    const now = Date.now();
    for (const [key, { endsAt }] of entries) {
      if (endsAt > now && entries.size <= maxEntries) break;
      entries.delete(key);
    }
    const key = createHash('sha256').update(`${source}\n${account}`).digest('base64').slice(0, 22);
    const entry = entries.get(key) ?? { count: 0, endsAt: now + windowMs };
    entries.set(key, entry);
    entry.count += 1;
    return {
      waitSeconds: entry.count > failures ? Math.ceil((entry.endsAt - now) / 1000) : undefined,
      succeed: () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    };
  };
}
