import { Webhook } from 'standardwebhooks';
import type { HookRequest, SentMessage } from './hook-target.ts';

/**
 * A request by Standard Webhooks.
 * @param keys Each signs: during a change of keys the receiver may know the old or the new one.
 * @param at Of this attempt: receivers refuse old ones.
 */
export function composeGenericRequest(
  { id, body }: SentMessage,
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
