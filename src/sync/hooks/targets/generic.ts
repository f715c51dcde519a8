import { Webhook } from 'standardwebhooks';
import type { HookRequest, HookMessage } from './hook-target.ts';

/**
 * Creates a request as defined by Standard Webhooks.
 * @param keys All of them sign: during a key rotation the receiver may know the old or the new one.
 * @param at Time of this attempt; receivers reject old timestamps.
 */
export function composeGenericRequest(
  { id, body }: HookMessage,
  { url, keys }: { url: string; keys: readonly Webhook[] },
  at: Date,
): HookRequest {
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': keys.map((key) => key.sign(id, at, body)).join(' '),
    },
    body,
  };
}
