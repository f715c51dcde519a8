/** How long to wait before another attempt. */
export interface RetryPolicy {
  /** Upper limit of the first wait; doubles each time. */
  baseMs: number;
  /** Longest wait of our own choosing. */
  maxMs: number;
  /** Longest wait that a server may ask for; when it asks for more, there is no other attempt in this run. */
  maxRetryAfterMs: number;
  /** From 0 to 1. */
  random: () => number;
}

/**
 * Full jitter: anything between nothing and the doubled limit, so that parallel requests don't come back together.
 * A Retry-After only makes it longer.
 * @param attempt From 0.
 * @returns Undefined when the server asks for more patience than the policy has.
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) return undefined;
  return Math.max(
    retryAfterMs ?? 0,
    Math.round(policy.random() * Math.min(policy.maxMs, policy.baseMs * 2 ** attempt)),
  );
}

/** Reads a Retry-After header (RFC 9110, 10.2.3): seconds or a date. Undefined when there is none or it makes no sense. */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
