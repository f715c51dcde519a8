import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { SortimentError } from '#contracts/index.ts';

/** Who is told of changes. */
export interface ReceiverOptions {
  /** http(s); it may hold a secret of its own, so it is never logged. */
  url: string;
  /** `whsec_<base64>` */
  secret: string;
}

export interface Receiver {
  /** Stands for the address in the store and in the log. */
  name: string;
  url: string;
  webhook: Webhook;
}

/**
 * The receivers that the environment names, and those of the program itself.
 *
 * @throws {SortimentError} WEBHOOK_INVALID, without the values
 */
export function readReceivers(
  environment: Readonly<Record<string, string | undefined>>,
  own: readonly ReceiverOptions[] = [],
): Receiver[] {
  const { ORIGIN_WEBHOOK_URL: url, ORIGIN_WEBHOOK_SECRET: secret } = environment;
  if (url && !secret) throw refuse('ORIGIN_WEBHOOK_URL is set, but ORIGIN_WEBHOOK_SECRET is not.');
  const named = url && secret ? [{ url, secret }] : [];
  const receivers = [...named, ...own].map(toReceiver);
  return [...new Map(receivers.map((receiver) => [receiver.name, receiver])).values()];
}

function toReceiver({ url, secret }: ReceiverOptions): Receiver {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw refuse('The address of a webhook receiver is not an http(s) address.');
  }
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8);
  const name = `${new URL(url).host} (${digest})`;
  if (!/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret)) {
    throw refuse(`The secret for the webhook receiver ${name} is not of the form whsec_<base64>.`);
  }
  return { name, url, webhook: new Webhook(secret) };
}

function refuse(message: string): SortimentError {
  return new SortimentError('WEBHOOK_INVALID', message, {
    hint: 'Set ORIGIN_WEBHOOK_URL and ORIGIN_WEBHOOK_SECRET together; echo "whsec_$(openssl rand -base64 32)" makes a secret.',
  });
}
