import { Webhook } from 'standardwebhooks';
import { SortimentError } from '#contracts/index.ts';
import { isSigningSecret } from '#contracts/webhooks.ts';

/** Result of verifying a webhook. */
export type WebhookVerdict =
  | { result: 'accepted'; id: string }
  /** A duplicate: the sender may not have received the earlier response. */
  | { result: 'repeated'; id: string }
  | { result: 'refused'; reason: string };

export type VerifyWebhook = (headers: Readonly<Record<string, string>>, body: string) => WebhookVerdict;

/** IDs are stored as long as their signatures are valid: five minutes in either direction. */
const ID_LIFETIME_MS = 10 * 60_000;
/** Beyond this number the oldest IDs are evicted. Only owners of a secret can cause that, at the cost of a sync. */
const MAX_IDS = 10_000;

/** Readable versions of the package's error messages. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^Missing required headers/, 'webhook-id, webhook-timestamp or webhook-signature is missing.'],
  [/too old/, 'The timestamp is more than five minutes old.'],
  [/too new/, 'The timestamp is more than five minutes ahead; check the clocks.'],
  [/^Invalid Signature Headers/, 'webhook-timestamp is not a number of seconds.'],
];

/**
 * Creates a verifier for Standard Webhooks: checks signature, time and repetition.
 *
 * @param secrets `whsec_<base64>`; any of them is accepted, which allows rotation.
 * @throws SortimentError WATCH_SECRET_INVALID, without the secret
 */
export function webhookVerifier(secrets: readonly string[], now: () => number = Date.now): VerifyWebhook {
  const webhooks = secrets.map(toWebhook);
  const seen = new Map<string, number>();
  return (headers, body) => {
    const verdicts = webhooks.map((webhook) => verify(webhook, headers, body));
    const rejection = verdicts.length === 0 ? 'SORTIMENT_WATCH_SECRET is not set where the watch runs.' : verdicts[0];
    if (rejection !== undefined && !verdicts.includes(undefined)) return { result: 'refused', reason: rejection };
    const id = headers['webhook-id'] ?? '';
    evictExpired(seen, now());
    if (seen.has(id)) return { result: 'repeated', id };
    seen.set(id, now() + ID_LIFETIME_MS);
    return { result: 'accepted', id };
  };
}

function toWebhook(secret: string): Webhook {
  if (isSigningSecret(secret)) return new Webhook(secret);
  throw new SortimentError(
    'WATCH_SECRET_INVALID',
    'SORTIMENT_WATCH_SECRET is not of the form whsec_<base64 of 24 to 64 bytes>.',
    {
      hint: 'Generate one with: echo "whsec_$(openssl rand -base64 32)"',
    },
  );
}

/** @returns The reason for a rejection; undefined if valid. */
function verify(webhook: Webhook, headers: Readonly<Record<string, string>>, body: string): string | undefined {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'The signature is invalid.';
  }
}

/** Relies on the map's insertion order. */
function evictExpired(seen: Map<string, number>, now: number): void {
  for (const [id, until] of seen) {
    if (until > now && seen.size < MAX_IDS) return;
    seen.delete(id);
  }
}
