// Standard Webhooks, as sent by syncs and the origin and received by a watch.

/** Wait after each failed attempt, in ms: 5 s to 24 h. */
export const RETRY_SCHEDULE_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1000);

/** Longest wait that a receiver may request. */
export const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** True if a secret is of the form `whsec_<base64 of 24 to 64 bytes>`. */
export function isSigningSecret(secret: string): boolean {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return bytes >= 24 && bytes <= 64;
}

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3), which holds seconds or a date. Returns ms; undefined if missing or
 * invalid.
 */
export function parseRetryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
