import { createHash } from 'node:crypto';

export interface FailureThrottleOptions {
  /** Failures of one source at one account until further ones have to wait. */
  failures: number;
  /** @default 15 minutes */
  windowMs?: number;
  /** Pairs of source and account that are remembered; the oldest is forgotten first. @default 20,000 */
  maxEntries?: number;
}

/** An attempt that counts as failed until it has succeeded. */
export interface Attempt {
  /** Set where there were too many failures before it: how long they are remembered. */
  waitSeconds: number | undefined;
  /** The attempt succeeded, and nothing that failed before it counts any more. */
  succeed(): void;
}

export type FailureThrottle = (source: string, account: string) => Attempt;

const WINDOW_MS = 15 * 60 * 1000;
const MAX_ENTRIES = 20_000;

/**
 * Counts failures of a source at an account, within this process. An attempt is counted before its password is looked at,
 * so that attempts at the same time do not slip through together. What is remembered is small and bounded: of names that
 * somebody sends, only a digest is kept.
 */
export function failureThrottle({
  failures,
  windowMs = WINDOW_MS,
  maxEntries = MAX_ENTRIES,
}: FailureThrottleOptions): FailureThrottle {
  // In the order in which the entries end, as all last equally long.
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
