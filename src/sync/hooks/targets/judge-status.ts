import { readRetryAfter } from '#client/index.ts';
import type { HookAnswer, Verdict } from './hook-target.ts';

/** Too much to do there, by Standard Webhooks. */
const SLOW_DOWN = [429, 502, 503, 504];

/**
 * What an answer means by its status alone: 2xx is a delivery, 410 ends the hook, anything else, a redirect too, is a
 * failure that another attempt may heal.
 * @param hints What a status means at this target.
 */
export function evaluateStatus(
  { status, retryAfter }: HookAnswer,
  at: Date,
  hints: Readonly<Record<number, string>> = {},
): Verdict {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'gone', problem: '410' };
  const hint = hints[status];
  const retryAfterMs = readRetryAfter(retryAfter, at.getTime());
  return {
    outcome: 'failed',
    problem: hint ? `${status}: ${hint}` : String(status),
    slowDown: SLOW_DOWN.includes(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
