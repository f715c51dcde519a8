import { Webhook } from 'standardwebhooks';

const PREFIX = 'whsec_';
/** Standard Webhooks' limits. */
const [MIN_BYTES, MAX_BYTES] = [24, 64];

/** The keys that a variable holds, with spaces between them; undefined when one is not of the form `whsec_<base64>`. */
export function readSigningKeys(text: string): Webhook[] | undefined {
  const secrets = text.trim().split(/\s+/);
  return secrets.every(isSecret) ? secrets.map((secret) => new Webhook(secret)) : undefined;
}

function isSecret(secret: string): boolean {
  const base64 = secret.slice(PREFIX.length);
  const bytes = Buffer.from(base64, 'base64').length;
  return secret.startsWith(PREFIX) && /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && bytes >= MIN_BYTES && bytes <= MAX_BYTES;
}
