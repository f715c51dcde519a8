import { wordNetworkCode } from '#contracts/index.ts';
import type { Receiver } from './receivers.ts';
import { ORIGIN_CHANGED, type OriginMessage } from './origin-event.ts';

export type PostOutcome =
  | { outcome: 'taken' }
  /** 410: it wants no more of this. */
  | { outcome: 'gone' }
  /** A status or what an error's code means, never its text: that may name the address. */
  | { outcome: 'failed'; problem: string; retryAfterMs: number };

/** Standard Webhooks asks for 15 to 30 s. */
const TIMEOUT_MS = 15_000;
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** Makes one attempt to tell one receiver, signed by Standard Webhooks at this moment. Never throws. */
export async function postEvent(receiver: Receiver, message: OriginMessage, signal: AbortSignal): Promise<PostOutcome> {
  const { id, at, changes, count } = message;
  const body = JSON.stringify({ type: ORIGIN_CHANGED, timestamp: at, data: { changes, count } });
  const now = new Date();
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sortiment-origin',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': receiver.webhook.sign(id, now, body),
      },
      // An address that somebody was trusted with may not hand us on to another one.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel().catch(() => undefined);
    if (response.ok) return { outcome: 'taken' };
    if (response.status === 410) return { outcome: 'gone' };
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now.getTime());
    return { outcome: 'failed', problem: String(response.status), retryAfterMs };
  } catch (error) {
    return { outcome: 'failed', problem: problemOf(error), retryAfterMs: 0 };
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), at most a day; 0 when there is none or it makes no sense. */
function readRetryAfter(header: string | null, now: number): number {
  if (!header) return 0;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'network error';
  if (error.name === 'TimeoutError') return `timed out after ${TIMEOUT_MS} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? wordNetworkCode(String(cause.code)) : 'network error';
}
